"""Fit a law to noisy counts by least squares: post-processing, no data here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tacit.exact.arrays import Floats, Truths
from tacit.problems.marginals.law_plan import Plan
from tacit.problems.marginals.model import Law
from tacit.problems.marginals.order import Columns, Order, order_of, sizes_with

_FIRST_STEP = 0.25
_LONGER, _SHORTER = 1.3, 0.5
_ENOUGH = 1e-7
MOST_CELLS = 1 << 19
"""What a law would need more cells for is not measured: public, and known from outputs. Set by
time: a law of so many is fitted in seconds."""
_IMPOSSIBLE, _STEEPEST = -1e30, 1e12
"""Logarithms of factors. No other is so large that it makes up for an impossible one: where records
contradict what was declared, that of a cell that lacks them would grow for ever."""
_FEWEST = 1e-12
_EVEN = 300
"""Below so many times the noise, cells of any count move alike."""
_MISFIT = 0.87
"""A fit follows some of the noise, so it may miss by a little less than the truth does."""


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """Noisy counts of the cells of some columns together, with their variance."""

    columns: Columns
    counts: Floats
    variance: float


@dataclass(frozen=True)
class Fitting:
    """Move factors against the error until the law fits as well as the truth is expected to.

    The noise of a measured count has its variance; so on average the true counts themselves
    miss by one variance a cell. A law that fits better than that has learned noise. Nor may it
    miss the counts of any one set of columns by more than the truth is likely to: single columns
    that are fitted too well would make up for a pair that is not fitted at all, and where they
    have many more cells than the pair its measurement would be lost.

    A factor moves by what its cell lacks in proportion to its count: large tables then need few
    steps. Where counts are not far above the noise all cells move alike, so that a small cell
    does not follow its noise before a large one has what it lacks.
    """

    cells: tuple[int, ...]
    impossible: tuple[tuple[Columns, npt.NDArray[np.bool_]], ...] = ()
    iterations: int = 100

    def order(self, together: Iterable[Columns]) -> Order:
        """The order for these measurements and the declared impossible cells."""
        return order_of(self.cells, [*together, *(columns for columns, _ in self.impossible)])

    def possible(self) -> bool:
        """Whether the declared impossible cells leave any record."""
        plan, never = self._plan([], {})
        law = Law(plan, np.where(never, _IMPOSSIBLE, 0.0))
        return bool(law.marginals[never].sum() < 1 / 2)

    def sizes_with(
        self, together: Iterable[Columns], more: Sequence[Columns]
    ) -> Iterator[tuple[Columns, float]]:
        """How many cells a law's tables would have with each of some more measurements."""
        every = [*together, *(columns for columns, _ in self.impossible)]
        return zip(more, sizes_with(self.cells, every, more), strict=True)

    def fit(
        self, measured: Sequence[Measured], *, total: float, old: Mapping[Columns, Floats]
    ) -> Law:
        """The fitted law, begun at the factors ``old``, at none for new measurements."""
        plan, never = self._plan(measured, old)
        begun = np.zeros(plan.many)
        for columns, factor in old.items():
            begun[plan.places[columns]] = plan.flat(columns, factor)
        begun[never] = _IMPOSSIBLE
        law = Law(plan, begun)
        least = min((one.variance for one in measured), default=1.0)
        wanted = _Wanted(plan, measured, total=total, least=least)
        step = _FIRST_STEP
        here = wanted.of(law)
        loss, slope, fits = wanted.loss(here)
        for _ in range(self.iterations):
            if fits:
                break
            moved = law.logs.copy()
            moved[: wanted.many] -= step * slope / (here + _EVEN * least**0.5)
            np.clip(moved, -_STEEPEST, _STEEPEST, out=moved)
            moved[never] = _IMPOSSIBLE
            nearer = Law(plan, moved)
            there = wanted.of(nearer)
            found, turned, enough = wanted.loss(there)
            change = float(slope @ (here - there))
            if found < loss and loss - found >= 0.5 * change:
                done = loss - found <= _ENOUGH * loss
                law, here, loss, slope, fits = nearer, there, found, turned, enough
                step *= _LONGER
                if done:
                    break
            else:
                step *= _SHORTER
        return law

    def _plan(
        self, measured: Sequence[Measured], old: Mapping[Columns, Floats]
    ) -> tuple[Plan, Truths]:
        """Factors of what was measured first, then all others; which of their cells cannot be."""
        ones = [(column,) for column in range(len(self.cells))]
        known = [one.columns for one in measured]
        every = dict.fromkeys([*known, *ones, *old, *(columns for columns, _ in self.impossible)])
        plan = Plan(self.order(every), tuple(every))
        never = np.zeros(plan.many, dtype=np.bool_)
        for columns, zero in self.impossible:
            never[plan.places[columns]] |= plan.flat(columns, zero)
        return plan, never


class _Wanted:
    """Measured counts as their factors lie, the first of a plan: every step looks at all of them.

    Counts of the same columns have one place there; each counts by what its variance says.
    """

    def __init__(
        self, plan: Plan, measured: Sequence[Measured], *, total: float, least: float
    ) -> None:
        self._total = total
        places = [plan.places[one.columns] for one in measured]
        counts = [plan.flat(one.columns, one.counts) for one in measured]
        self.many = max((place.stop for place in places), default=0)
        self._weights, self._means = np.zeros(self.many), np.zeros(self.many)
        for one, place in zip(measured, places, strict=True):
            self._weights[place] += least / one.variance
        for one, place, flat in zip(measured, places, counts, strict=True):
            self._means[place] += least / one.variance / self._weights[place] * flat
        self._starts = np.array(sorted({place.start for place in places}), dtype=np.int64)
        sizes = np.diff(self._starts, append=self.many).astype(np.float64)
        self._noise = 0.5 * _MISFIT * least * self.many
        self._most = 0.5 * least * (sizes + np.sqrt(2 * sizes))

    def of(self, law: Law) -> Floats:
        """The law's counts."""
        return self._total * law.marginals[: self.many]

    def loss(self, counts: Floats) -> tuple[float, Floats, bool]:
        """Half the weighted squares of what is missing, and how each count changes them.

        And whether all that is missing is no more than the truth is expected to miss, one
        variance a cell, and of no set of columns more by over a standard deviation: that of the
        squares of ``m`` normal numbers is ``sqrt(2 m)``.
        """
        missing = counts - self._means
        slope = self._weights * missing
        each = 0.5 * np.add.reduceat(slope * missing, self._starts)
        every = float(each.sum())
        return every, slope, every <= self._noise and bool((each <= self._most).all())


def projected(counts: Floats, *, total: float) -> Floats:
    """The nearest counts that are not negative and have this sum.

    Beside noise so large that the sum is lost all are taken from the largest first, which moves
    no projection: otherwise nothing would be left.
    """
    largest = counts.max()
    if largest - total == largest:
        counts = counts - largest
    down = np.sort(counts.reshape(-1))[::-1]
    over = (np.cumsum(down) - total) / np.arange(1, len(down) + 1)
    last = int(np.flatnonzero(down > over)[-1]) if bool((down > over).any()) else 0
    return np.asarray(np.maximum(counts - over[last], 0.0), dtype=np.float64)


def product_of(ones: Sequence[Measured], *, total: float) -> Law:
    """The law of independent columns: each has its own noisy counts, projected."""
    factors: dict[Columns, Floats] = {}
    for one in ones:
        shares = projected(one.counts, total=total) / total
        factors[one.columns] = np.log(np.maximum(shares, _FEWEST))
    cells = [one.counts.size for one in ones]
    return Law.of(order_of(cells, ()), factors)
