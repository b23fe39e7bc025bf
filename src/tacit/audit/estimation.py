"""``audit.estimate``: a certified lower bound on epsilon from samples of anybody's mechanism."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from tacit.attacks.confidence import Counts, epsilon_below
from tacit.audit.enumeration import claim_of
from tacit.audit.views import LearnedEvent, learn
from tacit.core import BadInput, Mechanism, Rng
from tacit.core.numbers import exact, positive, probability, show, whole
from tacit.exact.entropy import SYSTEM

Pair = tuple[Any, Any]
_FINALISTS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """What samples certainly say about epsilon.

    ``epsilon``   the mechanism's epsilon at ``delta`` is larger than this, but for a
                  probability ``level``. A bound of 0 says that nothing was found, not
                  that nothing is there.
    ``violated``  the claim is certainly broken, but for the same probability.
    ``counts``    how often the event was seen on the two data sets of ``pair``.
    """

    name: str
    claimed_epsilon: Fraction | None
    delta: Fraction
    level: Fraction
    epsilon: Fraction
    runs: int
    seconds: float
    pair: int
    direction: str
    event: str
    counts: Counts
    region: tuple[tuple[float, float], ...] = field(default=())

    @property
    def violated(self) -> bool:
        return self.claimed_epsilon is not None and self.epsilon > self.claimed_epsilon

    def to_dict(self) -> dict[str, Any]:
        """A JSON-ready form."""
        claimed = self.claimed_epsilon
        return {
            "kind": "estimate",
            "name": self.name,
            "claimed_epsilon": None if claimed is None else show(claimed),
            "delta": show(self.delta),
            "level": show(self.level),
            "epsilon_at_least": float(self.epsilon),
            "violated": self.violated,
            "runs": self.runs,
            "seconds": round(self.seconds, 2),
            "pair": self.pair,
            "direction": self.direction,
            "event": self.event,
            "counts": [
                self.counts.here,
                self.counts.runs_here,
                self.counts.there,
                self.counts.runs_there,
            ],
            "region": [list(point) for point in self.region],
        }


@dataclass(frozen=True, slots=True)
class _Candidate:
    event: LearnedEvent
    pair: int
    direction: str


def default_pairs(n: int = 8) -> list[Pair]:
    """Lists of zeros and ones that differ in one entry: for callables that say no more."""
    return [
        ([0] * n, [1] + [0] * (n - 1)),
        ([1] * n, [0] + [1] * (n - 1)),
        ([0, 1] * (n // 2), [1, 1] + [0, 1] * (n // 2 - 1)),
    ]


def estimate(
    mechanism: Mechanism[Any, Any] | Callable[[Any], Any],
    pairs: Sequence[Pair] | None = None,
    *,
    epsilon: object = None,
    delta: object = None,
    runs: int | None = None,
    seconds: float | None = None,
    level: object = "1/1000",
    name: str | None = None,
    rng: Rng = SYSTEM,
    progress: Callable[[str], None] | None = None,
) -> Estimate:
    """Sample a mechanism on pairs of neighbours and bound its epsilon from below.

    ``mechanism``  of this package, or any callable from data to an output.
    ``pairs``      neighbouring data sets, as the mechanism takes them; by default lists of
                   zeros and ones.
    ``runs``, ``seconds``  how often it is run in all, or for about how long; default 20000.

    Half of the runs look for events (both directions, every pair). The best few are then
    counted on fresh runs whose number is fixed beforehand, so that Clopper and Pearson's
    limits hold for each; the level is shared among them.
    """
    claimed = exact(epsilon, name="epsilon") if epsilon is not None else None
    given = exact(delta, name="delta") if delta is not None else None
    lost = given or Fraction(0)
    if isinstance(mechanism, Mechanism) and epsilon is None:
        claimed, lost = claim_of(mechanism.event(), given)
    if claimed is not None:
        positive(claimed, name="epsilon")
    tried = list(default_pairs() if pairs is None else pairs)
    if not tried:
        raise BadInput("an estimate needs at least one pair of neighbouring data sets")
    draw = _drawing(mechanism, rng)
    start = time.monotonic()
    each, confirm = _plan(draw, tried, runs=runs, seconds=seconds)
    found: list[_Candidate] = []
    for number, (left, right) in enumerate(tried):
        if progress is not None:
            progress(f"looking for events on pair {number + 1} of {len(tried)}")
        here, there = [draw(left) for _ in range(each)], [draw(right) for _ in range(each)]
        for direction, ours, theirs in (("forward", here, there), ("backward", there, here)):
            event = learn(ours, theirs, delta=float(lost))
            if event is not None:
                found.append(_Candidate(event, number, direction))
    finalists = sorted(found, key=lambda one: -one.event.promise)[:_FINALISTS]
    share = probability(level, name="level") / max(1, len(finalists))
    best: tuple[Fraction, _Candidate, Counts] | None = None
    fresh = confirm // max(1, len({one.pair for one in finalists}))
    outputs: dict[int, tuple[list[Any], list[Any]]] = {}
    for one in finalists:
        if progress is not None:
            progress(f"confirming: {one.event.what}, pair {one.pair + 1}, {one.direction}")
        if one.pair not in outputs:
            left, right = tried[one.pair]
            outputs[one.pair] = (
                [draw(left) for _ in range(fresh)],
                [draw(right) for _ in range(fresh)],
            )
        here, there = outputs[one.pair]
        ours, theirs = (here, there) if one.direction == "forward" else (there, here)
        counts = Counts(
            here=sum(output in one.event for output in ours),
            runs_here=fresh,
            there=sum(output in one.event for output in theirs),
            runs_there=fresh,
        )
        bound = epsilon_below(counts, delta=lost, level=share)
        if best is None or bound > best[0]:
            best = (bound, one, counts)
    nothing = Counts(here=0, runs_here=1, there=0, runs_there=1)
    return Estimate(
        name=name or _name(mechanism),
        claimed_epsilon=claimed,
        delta=lost,
        level=probability(level, name="level"),
        epsilon=best[0] if best else Fraction(0),
        runs=2 * each * len(tried) + 2 * fresh * len(outputs),
        seconds=time.monotonic() - start,
        pair=best[1].pair if best else 0,
        direction=best[1].direction if best else "none",
        event=best[1].event.what if best else "none",
        counts=best[2] if best else nothing,
        region=_region(best[2]) if best else (),
    )


def _drawing(mechanism: Any, rng: Rng) -> Callable[[Any], Any]:
    # The data are made up for the audit, so there is nothing to charge.
    if isinstance(mechanism, Mechanism):
        return lambda data: mechanism._release(data, rng=rng)
    if not callable(mechanism):
        raise BadInput("an estimate needs a mechanism or a callable of the data")
    called: Callable[[Any], Any] = mechanism
    return called


def _name(mechanism: Any) -> str:
    if isinstance(mechanism, Mechanism):
        return mechanism.label()
    return str(getattr(mechanism, "__name__", type(mechanism).__name__))


def _plan(
    draw: Callable[[Any], Any], pairs: Sequence[Pair], *, runs: int | None, seconds: float | None
) -> tuple[int, int]:
    """Runs for each side of each pair while looking, and for each side in all afterwards."""
    if seconds is not None:
        begun = time.monotonic()
        timed = 0
        while timed < 20 or time.monotonic() - begun < min(0.2, seconds / 20):
            draw(pairs[timed % len(pairs)][timed % 2])
            timed += 1
        # Looking at outputs takes time too: a fifth is left for that.
        possible = int(0.8 * seconds * timed / (time.monotonic() - begun))
        runs = possible if runs is None else min(runs, possible)
    wanted = whole(20_000 if runs is None else runs, name="runs", least=1)
    each = max(10, wanted // (4 * len(pairs)))
    return each, max(10, wanted // 4)


def _region(counts: Counts) -> tuple[tuple[float, float], ...]:
    """The one test that was confirmed: its false-alarm and miss rates."""
    return (
        (0.0, 1.0),
        (counts.there / counts.runs_there, 1 - counts.here / counts.runs_here),
        (1.0, 0.0),
    )
