"""``audit.estimate``: a certified lower bound on epsilon from samples of anybody's mechanism."""

from __future__ import annotations

import math
import time
from array import array
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.checks.attacks.confidence import Counts, epsilon_below
from tacit.checks.audit.enumeration import claim_of
from tacit.checks.audit.estimates import Estimate
from tacit.checks.audit.events import LearnedEvent, Pool, spread_here, spread_there
from tacit.checks.audit.neighbours import Pair, Walk, alone, default_pairs, walks
from tacit.checks.audit.outputs import Raised
from tacit.checks.audit.race import Found, race
from tacit.core import BadInput, Mechanism, Relation, Sampler
from tacit.core.numbers import exact, positive, probability, whole
from tacit.exact.entropy import SYSTEM

_FINALISTS = 2  # events that share the level on fresh runs
_LEAST_RUNS = 40
_LOOKING = Fraction(1, 2)  # the largest share of the runs that looks for an event
_LOOKING_ENOUGH = 20_000  # looking takes at most this many runs and a tenth of all
_LOOKED_AT_A_SECOND = 3_000  # runs that can be looked at in a second

Scores = npt.NDArray[np.float64]
Curve = tuple[tuple[float, float], ...]


def estimate(
    mechanism: Mechanism[object, object] | Callable[[object], object],
    pairs: Sequence[Pair] | None = None,
    *,
    epsilon: object = None,
    delta: object = None,
    relation: Relation | str | None = None,
    runs: int | None = None,
    seconds: float | None = None,
    level: object = "1/1000",
    name: str | None = None,
    rng: Sampler = SYSTEM,
    progress: Callable[[str], None] | None = None,
) -> Estimate:
    """Sample a mechanism on pairs of neighbours and bound its epsilon from below.

    ``mechanism``  of this package, or any callable from data to an output. A run that
                   raises an exception counts as an output.
    ``pairs``      neighbouring data sets, as the mechanism takes them; by default lists of
                   zeros and ones.
    ``relation``   who is a neighbour (``"replace-one"`` or ``"label"``): then further
                   pairs, a few records away from the given ones, are tried as well. By
                   default a mechanism's own; for a callable only the given pairs count.
    ``runs``, ``seconds``  how often it is run in all, or for about how long; default 20000.

    At most half of the runs look for a pair and an event (both directions). The best
    events of one pair are then counted on fresh runs whose number is fixed beforehand; the
    level is shared among them. Proof: ``estimation.proof.md``.
    """
    claimed, lost, known = _claimed(mechanism, epsilon, delta, relation)
    sure, tried = probability(level, name="level"), _tried(pairs)
    draw = _drawing(mechanism, rng)
    start = time.monotonic()
    wanted = _affordable(draw, tried, runs=runs, seconds=seconds)
    looking = _for_looking(wanted, seconds)
    ways = _ways(tried, known)
    found = race(
        [walk for _, walk in ways],
        draw,
        runs=looking,
        fresh=wanted - looking,
        delta=float(lost),
        end=math.inf if seconds is None else start + 0.5 * seconds,
        told=progress or _untold,
    )
    fresh = max(_LEAST_RUNS // 2, wanted - found.runs)
    finalists = _different(found.events, found.pools)[:_FINALISTS]
    score = _scoring(finalists, found.pools)
    if seconds is not None:
        left = 0.9 * (start + seconds - time.monotonic())
        pace = _pace(draw, found, score, least=found.pace, seconds=left / 20)
        possible = max(_LEAST_RUNS // 2, int(left / pace))
        fresh = possible if runs is None else min(fresh, possible)
    bound, counts, event, curve = _confirmed(
        finalists, found, draw, score, fresh=fresh, delta=lost, level=sure
    )
    pair_number, walk = ways[found.walk]
    return Estimate(
        name=name or _name(mechanism),
        claimed_epsilon=claimed,
        delta=lost,
        level=sure,
        epsilon=bound,
        runs=found.runs + (counts.runs_here + counts.runs_there if event is not None else 0),
        seconds=time.monotonic() - start,
        pair=pair_number,
        step=_step(walk, found.step),
        direction=found.direction if event is not None else "none",
        event=event.what if event is not None else "none",
        counts=counts,
        data=(walk.data(found.step), walk.data(found.step + 1)),
        region=_region(counts) if event is not None else (),
        curve=curve,
    )


def _claimed(
    mechanism: Mechanism[object, object] | Callable[[object], object],
    epsilon: object,
    delta: object,
    relation: Relation | str | None,
) -> tuple[Fraction | None, Fraction, Relation | None]:
    """The epsilon and delta that are put to the test, and who is a neighbour."""
    claimed = exact(epsilon, name="epsilon") if epsilon is not None else None
    given = exact(delta, name="delta") if delta is not None else None
    lost = given or Fraction(0)
    if isinstance(mechanism, Mechanism):
        if epsilon is None:
            claimed, lost = claim_of(mechanism.event(), given)
        relation = mechanism.event().relation if relation is None else relation
    if claimed is not None:
        positive(claimed, name="epsilon")
    return claimed, lost, None if relation is None else Relation.read(relation)


def _tried(pairs: Sequence[Pair] | None) -> list[Pair]:
    tried = list(default_pairs() if pairs is None else pairs)
    if not tried:
        raise BadInput("an estimate needs at least one pair of neighbouring data sets")
    if any(not isinstance(pair, (tuple, list)) or len(pair) != 2 for pair in tried):
        raise BadInput("pairs must be a list of (data, neighbouring data)")
    return tried


def _ways(tried: Sequence[Pair], known: Relation | None) -> list[tuple[int, Walk]]:
    """The given pairs by their numbers, and the walks that lead away from each."""
    return [
        (number, walk)
        for number, pair in enumerate(tried)
        for walk in (alone(pair), *(walks(pair, known) if known is not None else ()))
    ]


def _for_looking(wanted: int, seconds: float | None) -> int:
    """How many of the runs look for a pair and an event."""
    looking = min(math.ceil(_LOOKING * wanted), _LOOKING_ENOUGH + wanted // 10)
    if seconds is None:
        return looking
    # Outputs have to be read as well, which may take longer than to make them.
    return min(looking, max(_LEAST_RUNS, int(_LOOKED_AT_A_SECOND * seconds)))


def _untold(_: str) -> None:
    """Do nothing with a word on progress."""


def _confirmed(
    finalists: Sequence[LearnedEvent],
    found: Found,
    draw: Callable[[object], object],
    score: Callable[[object], list[float]],
    *,
    fresh: int,
    delta: Fraction,
    level: Fraction,
) -> tuple[Fraction, Counts, LearnedEvent | None, Curve]:
    """Count the finalists on fresh runs: how many on each side is fixed before the first."""
    nothing = Counts(here=0, runs_here=1, there=0, runs_there=1)
    if not finalists:
        return Fraction(0), nothing, None, ()
    p, q = finalists[0].chances
    side, other = float(spread_here(p, float(delta))), float(spread_there(q))
    share = min(0.8, max(0.2, side / (side + other))) if side + other > 0 else 0.5
    here = max(1, round(share * fresh))
    there = max(1, fresh - here)
    best: tuple[Fraction, Counts, LearnedEvent, Scores, Scores] | None = None
    scored = [
        _scores(draw, data, number, score)
        for data, number in ((found.here, here), (found.there, there))
    ]
    for event, ours, theirs in zip(finalists, *scored, strict=True):
        counts = Counts(
            here=int(np.count_nonzero(ours >= event.cut)),
            runs_here=here,
            there=int(np.count_nonzero(theirs >= event.cut)),
            runs_there=there,
        )
        bound = epsilon_below(counts, delta=delta, level=level / len(finalists))
        if best is None or bound > best[0]:
            best = bound, counts, event, ours, theirs
    assert best is not None
    return *best[:3], _curve(*best[3:])


def _different(events: Sequence[LearnedEvent], pools: Sequence[Pool]) -> list[LearnedEvent]:
    """Of events that no output so far tells apart, only the first."""
    outputs = {label: output for pool in pools for label, output in pool.kept.items()}
    found: dict[tuple[bool, ...], LearnedEvent] = {}
    for event in events[: 4 * _FINALISTS]:
        found.setdefault(tuple(output in event for output in outputs.values()), event)
    return list(found.values())


def _scoring(
    finalists: Sequence[LearnedEvent], pools: Sequence[Pool]
) -> Callable[[object], list[float]]:
    """What each finalist says of an output.

    Outputs that were seen while looking have had their score since then. Others are looked
    at one by one, so that a score is a function of the output that was fixed beforehand.
    """
    seen: dict[Hashable, list[float]] = {}
    for pool in pools:
        for label, output in pool.kept.items():
            seen.setdefault(label, [event.score(output) for event in finalists])

    def score(output: object) -> list[float]:
        row = seen.get(Pool.label(output))
        return row if row is not None else [event.score(output) for event in finalists]

    return score


def _scores(
    draw: Callable[[object], object],
    data: object,
    number: int,
    score: Callable[[object], list[float]],
) -> Scores:
    """The scores of ``number`` fresh outputs, one row for each finalist."""
    flat = array("d")
    for _ in range(number):
        flat.extend(score(draw(data)))
    return np.frombuffer(flat, dtype=np.float64).reshape(number, -1).T


def _pace(
    draw: Callable[[object], object],
    found: Found,
    score: Callable[[object], list[float]],
    *,
    least: float,
    seconds: float,
) -> float:
    """Seconds for a run and its score: an output that is new each time takes longer to read.

    These runs are thrown away, so that the number of fresh ones is still fixed beforehand.
    """
    begun, timed, spent = time.monotonic(), 0, 0.0
    while spent <= min(0.2, seconds):
        for data in (found.here, found.there):
            _scores(draw, data, 10, score)
            timed += 10
        spent = time.monotonic() - begun
    return max(least, spent / timed) if timed else least  # no time was left to look


def _drawing(mechanism: object, rng: Sampler) -> Callable[[object], object]:
    # The data are made up for the audit, so there is nothing to charge.
    if isinstance(mechanism, Mechanism):
        return lambda data: rng.part(mechanism, data)
    if not callable(mechanism):
        raise BadInput("an estimate needs a mechanism or a callable of the data")

    def draw(data: object) -> Any:
        try:
            return mechanism(data)
        except Exception as reason:  # noqa: BLE001 - anybody's function may raise anything
            return Raised(type(reason).__name__, str(reason))

    return draw


def _name(drawn: object) -> str:
    if isinstance(drawn, Mechanism):
        return drawn.label()
    return str(getattr(drawn, "__name__", type(drawn).__name__))  # a function's


def _affordable(
    draw: Callable[[object], object],
    pairs: Sequence[Pair],
    *,
    runs: int | None,
    seconds: float | None,
) -> int:
    """How many runs there will be in all, from the pace of some first ones."""
    draw(pairs[0][0])  # the first run may compile or load something
    begun, timed, failed = time.monotonic(), 0, 0
    first: Any = None
    while True:
        output = draw(pairs[timed // 2 % len(pairs)][timed % 2])
        timed += 1
        if isinstance(output, Raised):
            first, failed = first or output, failed + 1
        spent = time.monotonic() - begun
        enough = spent > (0.0 if seconds is None else min(0.2, seconds / 20))
        if enough and (timed >= 2 * len(pairs) or (seconds is not None and spent > seconds / 4)):
            break
    if failed == timed:
        raise BadInput(
            f"the function fails on all data it was tried on ({first.kind}: {first.said}); "
            "pass pairs of data that it takes"
        )
    if seconds is not None:
        possible = int(0.8 * seconds * timed / spent)
        if possible < _LEAST_RUNS:
            raise BadInput(
                f"one run takes about {spent / timed:.2g} s, so {seconds:g} s allow {possible}; "
                f"an estimate needs at least {_LEAST_RUNS} runs: give it more time"
            )
        runs = possible if runs is None else min(runs, possible)
    return max(_LEAST_RUNS, whole(20_000 if runs is None else runs, name="runs", least=1))


def _step(walk: Walk, step: int) -> str:
    if walk.pair is not None:
        return "as given"
    return f"{step} of {walk.steps} records replaced, and one more"


def _region(counts: Counts) -> tuple[tuple[float, float], ...]:
    """The one test that was confirmed: its false-alarm and miss rates."""
    return (
        (0.0, 1.0),
        (counts.there / counts.runs_there, 1 - counts.here / counts.runs_here),
        (1.0, 0.0),
    )


def _curve(here: Scores, there: Scores) -> Curve:
    """All cuts of one score, at most about 40 of them."""
    here, there = np.sort(here), np.sort(there)
    levels = np.union1d(here, there)[::-1]
    chosen = levels[:: max(1, len(levels) // 40)]
    misses = np.searchsorted(here, chosen) / len(here)
    alarms = 1 - np.searchsorted(there, chosen) / len(there)
    points = zip(alarms.tolist(), misses.tolist(), strict=True)
    return ((0.0, 1.0), *points, (1.0, 0.0))
