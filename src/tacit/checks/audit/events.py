"""Learn an event that tells two data sets apart: a level set of a score of the outputs.

Where labels are many, one half of the outputs says how telling each is and the other half
where to cut: what an event promises is then not flattered by its own choice. Whatever is
learned here, the bound is certified on fresh runs only.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.checks.audit.features import features
from tacit.checks.audit.outputs import key
from tacit.exact.arrays import Values

Floats = npt.NDArray[np.float64]
Score = Callable[[Any], float]
_BINS = 48  # the most bins of a feature
_FEW = 20  # runs for each different value from which on outputs are not halved
_ERRORS = 3.4  # standard errors that are taken off before events are compared


@dataclass(slots=True)
class Pool:
    """Outputs on one data set: how often each was seen, in two halves."""

    kept: dict[Hashable, object] = field(default_factory=dict)
    halves: tuple[dict[Hashable, int], dict[Hashable, int]] = field(
        default_factory=lambda: ({}, {})
    )
    runs: int = 0

    @staticmethod
    def label(output: object) -> Hashable:
        """``key``, for any object at all."""
        try:
            return key(output)
        except Exception:  # noqa: BLE001 - anybody's objects may raise anything
            return ("unreadable", type(output).__name__)

    def add(self, output: object) -> None:
        name = self.label(output)
        half = self.halves[self.runs % 2]
        half[name] = half.get(name, 0) + 1
        self.kept.setdefault(name, output)
        self.runs += 1

    def counts(self, names: Sequence[Hashable], half: int) -> Floats:
        return np.array([self.halves[half].get(name, 0) for name in names], dtype=float)


class Readings:
    """Every different output is read once, however many pairs it is looked at for."""

    def __init__(self, outputs: Sequence[object], asked: Sequence[object]) -> None:
        self.features = features(outputs, asked)
        self._rows: dict[Hashable, tuple[float, ...]] = {}
        self._codes: list[dict[Hashable, float]] = [{} for _ in self.features]

    def code(self, place: int, label: Any) -> float:
        """A number for what a feature read: itself where ordered, else its turn."""
        if self.features[place].ordered:
            return math.nan if label is None else float(label)
        codes = self._codes[place]
        return codes.setdefault(label, float(len(codes)))

    def known(self, place: int) -> Callable[[object], float | None]:
        """The code of a label that was read by now; none for others, now and later."""
        return self._codes[place].copy().get

    def table(self, names: Sequence[Hashable], pools: Sequence[Pool]) -> Floats:
        """One row an output, one column a feature."""
        for name in names:
            if name not in self._rows:
                output = next(pool.kept[name] for pool in pools if name in pool.kept)
                self._rows[name] = tuple(
                    self.code(place, one.read(output)) for place, one in enumerate(self.features)
                )
        return np.array([self._rows[name] for name in names], dtype=float)


@dataclass(frozen=True, slots=True)
class LearnedEvent:
    """Outputs whose score is at least ``cut``.

    ``chances``  how often it was seen here and there, roughly.
    ``promise``  the bound that a confirmation of the planned size would give, roughly.
    """

    what: str
    score: Score
    cut: float
    chances: tuple[float, float]
    promise: float

    def __contains__(self, output: object) -> bool:
        return self.score(output) >= self.cut


def learn(
    readings: Readings, here: Pool, there: Pool, *, delta: float, fresh: int, doubt: float
) -> tuple[list[LearnedEvent], list[LearnedEvent]]:
    """Events that seem more frequent ``here``, and those ``there``; the best first.

    ``fresh`` is how many runs will confirm one of them; ``doubt`` by how many standard
    errors what was seen is moved against it.
    """
    names = list(here.kept.keys() | there.kept.keys())
    halves = [(here.counts(names, half), there.counts(names, half)) for half in (0, 1)]
    if len(names) < 2 or not all(side.sum() for half in halves for side in half):
        return [], []
    table = readings.table(names, (here, there))
    turned = [half[::-1] for half in halves]
    return (
        _events(readings, table, *halves, delta=delta, fresh=fresh, doubt=doubt),
        _events(readings, table, *turned, delta=delta, fresh=fresh, doubt=doubt),
    )


def _events(
    readings: Readings,
    table: Floats,
    first: tuple[Floats, Floats],
    second: tuple[Floats, Floats],
    *,
    delta: float,
    fresh: int,
    doubt: float,
) -> list[LearnedEvent]:
    both = first[0] + second[0], first[1] + second[1]
    runs = min(side.sum() for side in both)
    found: list[LearnedEvent | None] = []
    parts: list[tuple[Score, Floats]] = []
    for place, feature in enumerate(readings.features):
        column = table[:, place]
        different = len(np.unique(column))
        if different < 2:
            continue
        # With few different values an event that was chosen on the outputs it is judged by
        # gains little: they are not split into two halves.
        few = different * _FEW <= runs
        learned, judged = (both, both) if few else (first, second)
        scores = _scores(readings, place, column, *learned)
        found += [_cut(*one, *judged, delta=delta, fresh=fresh, doubt=doubt) for one in scores]
        if feature.name != "value":
            parts.append(scores[-1][1:])
    if len(parts) > 1:
        values = np.sum([part[1] for part in parts], axis=0)
        together = _sum([part[0] for part in parts])
        found.append(
            _cut("all of it", together, values, *second, delta=delta, fresh=fresh, doubt=doubt)
        )
    return sorted((one for one in found if one is not None), key=lambda one: -one.promise)


def _sum(scores: Sequence[Score]) -> Score:
    return lambda output: float(sum(score(output) for score in scores))


def _scores(
    readings: Readings, place: int, column: Floats, here: Floats, there: Floats
) -> list[tuple[str, Score, Floats]]:
    """Scores made of one feature; the last one is a rough log ratio of the two chances."""
    feature = readings.features[place]
    read = feature.read
    found: list[tuple[str, Score, Floats]] = []
    edges = np.unique(column[~np.isnan(column)])
    if feature.ordered:
        known = ~np.isnan(column)
        found = [
            (
                f"{feature.name} large",
                lambda o: _or(read(o), -math.inf),
                np.where(known, column, -math.inf),
            ),
            (
                f"{feature.name} small",
                lambda o: -_or(read(o), math.inf),
                np.where(known, -column, -math.inf),
            ),
        ]
        if len(edges) > _BINS:
            edges = _edges(column[known], (here + there)[known])
    # Whatever is not a number comes last, in a bin of its own.
    bins = np.searchsorted(edges, column)
    bins[np.isnan(column)] = len(edges) + 1
    ours = np.bincount(bins, here, minlength=len(edges) + 2)
    theirs = np.bincount(bins, there, minlength=len(edges) + 2)
    ratios = _ratios(ours, theirs)
    if feature.ordered:
        found.append((feature.name, _of_bins(read, edges, ratios), ratios[bins]))
    else:
        by_code = dict(zip(edges.tolist(), ratios.tolist(), strict=False))
        look_up = readings.known(place)
        found.append((feature.name, lambda o: by_code.get(look_up(read(o)), 0.0), ratios[bins]))
    return found


def _of_bins(read: Callable[[object], object], edges: Floats, ratios: Floats) -> Score:
    def score(output: object) -> float:
        number = _or(read(output), math.nan)
        place = len(edges) + 1 if number != number else int(np.searchsorted(edges, number))
        return float(ratios[place])

    return score


def _edges(numbers: Floats, weights: Floats) -> Floats:
    """Ends of bins that hold about as many runs each."""
    order = np.argsort(numbers, kind="stable")
    share = np.cumsum(weights[order]) / max(1.0, weights.sum())
    places = np.searchsorted(share, np.linspace(0, 1, _BINS + 1)[1:-1])
    found: Floats = np.unique(numbers[order][np.minimum(places, len(order) - 1)])
    return found


def _or(value: Any, otherwise: float) -> float:
    return otherwise if value is None or value != value else float(value)


def _ratios(ours: Values, theirs: Values) -> Floats:
    """The log ratios of two rates, moved towards 0 by their own standard errors."""
    scale = math.log((theirs.sum() + 1) / (ours.sum() + 1))
    ratio = np.log((ours + 0.5) / (theirs + 0.5)) + scale
    error = np.sqrt(1 / (ours + 0.5) + 1 / (theirs + 0.5))
    found: Floats = np.sign(ratio) * np.maximum(0.0, np.abs(ratio) - error)
    return found


def _cut(
    what: str,
    score: Score,
    values: Floats,
    here: Floats,
    there: Floats,
    *,
    delta: float,
    fresh: int,
    doubt: float,
) -> LearnedEvent | None:
    order = np.argsort(-values, kind="stable")
    ranked = values[order]
    ends = np.flatnonzero(np.append(ranked[1:] != ranked[:-1], True))[:-1]
    if len(ends) == 0:
        return None
    p = np.cumsum(here[order])[ends]
    q = np.cumsum(there[order])[ends]
    promise = promised(p, here.sum(), q, there.sum(), delta=delta, fresh=fresh, doubt=doubt)
    best = int(np.argmax(promise))
    if not np.isfinite(promise[best]):
        return None
    chances = float((p[best] + 0.5) / (here.sum() + 1)), float((q[best] + 0.5) / (there.sum() + 1))
    # Between two scores that were seen, so that rounding does not matter.
    cut = float(ranked[ends[best]] / 2 + ranked[ends[best] + 1] / 2)
    if not math.isfinite(cut):
        cut = float(ranked[ends[best]])
    return LearnedEvent(what, score, cut, chances, float(promise[best]))


def promised(
    p: Floats, runs: float, q: Floats, others: float, *, delta: float, fresh: int, doubt: float
) -> Any:
    """About what ``fresh`` runs, well divided, would certify for events seen so often."""
    low = np.maximum(_wilson(p, runs, -doubt) - delta, 0.0)
    high = np.maximum(_wilson(q, others, doubt), 1 / max(1, fresh))
    with np.errstate(divide="ignore"):
        errors = spread_here(low + delta, delta) + spread_there(high)
        return np.where(low > 0, np.log(low / high) - _ERRORS * errors / math.sqrt(fresh), -np.inf)


def spread_here(p: Any, delta: float) -> Any:
    """The standard error of ``ln(p - delta)`` for one run."""
    return np.sqrt(np.maximum(p * (1 - p), 0.0)) / np.maximum(p - delta, 1e-12)


def spread_there(q: Any) -> Any:
    """The standard error of ``ln q`` for one run."""
    return np.sqrt(np.maximum(1 - q, 0.0) / np.maximum(q, 1e-12))


def _wilson(successes: object, trials: float, errors: float) -> Any:
    share, z2 = np.asarray(successes) / trials, errors**2 / trials
    width = errors / math.sqrt(trials) * np.sqrt(share * (1 - share) + z2 / 4)
    return (share + z2 / 2 + width) / (1 + z2)
