"""Fit a law to noisy counts by least squares: post-processing, no data here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
import numpy.typing as npt

from tacit.problems.marginals.model import Columns, Floats, Law, Order, order_of

_FIRST_STEP = 0.25
_LONGER, _SHORTER = 1.3, 0.5
_ENOUGH = 1e-7
_IMPOSSIBLE = -1e30
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

    def start(self, measured: Sequence[Measured], old: Mapping[Columns, Floats]) -> Law:
        """The law before any step: what was found before, nothing for new measurements."""
        factors: dict[Columns, Floats] = {
            (column,): np.zeros(cells) for column, cells in enumerate(self.cells)
        }
        for one in measured:
            factors.setdefault(one.columns, np.zeros(one.counts.shape))
        factors |= old
        for columns, zero in self.impossible:
            known = factors.get(columns, np.zeros(zero.shape))
            factors[columns] = np.where(zero, _IMPOSSIBLE, known)
        return Law(self.order(factors), factors)

    def fit(
        self, measured: Sequence[Measured], *, total: float, old: Mapping[Columns, Floats]
    ) -> Law:
        """The fitted law, begun at the factors ``old``."""
        law = self.start(measured, old)
        least = min((one.variance for one in measured), default=1.0)
        wanted = _Wanted(measured, total=total, least=least)
        step = _FIRST_STEP
        here = wanted.of(law)
        loss, slope, fits = wanted.loss(here)
        for _ in range(self.iterations):
            if fits:
                break
            moves = wanted.split(step * slope / (here + _EVEN * least**0.5))
            nearer = self._moved(law, moves)
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

    def _moved(self, law: Law, moves: Mapping[Columns, Floats]) -> Law:
        factors = dict(law.factors)
        for columns, move in moves.items():
            factors[columns] = factors[columns] - move
        for columns, zero in self.impossible:
            factors[columns] = np.where(zero, _IMPOSSIBLE, factors[columns])
        return Law(law.order, factors)


class _Wanted:
    """Measured counts, side by side in one array: every step of a fit looks at all of them.

    Counts of the same columns have one place there; each counts by what its variance says.
    """

    def __init__(self, measured: Sequence[Measured], *, total: float, least: float) -> None:
        self._total = total
        self._shapes = {one.columns: one.counts.shape for one in measured}
        ends = np.cumsum([0, *map(prod, self._shapes.values())]).tolist()
        self._places = {
            columns: slice(first, last)
            for columns, first, last in zip(self._shapes, ends, ends[1:], strict=False)
        }
        self._weights, self._means = np.zeros(ends[-1]), np.zeros(ends[-1])
        for one in measured:
            self._weights[self._places[one.columns]] += least / one.variance
        for one in measured:
            place = self._places[one.columns]
            share = least / one.variance / self._weights[place]
            self._means[place] += share * one.counts.reshape(-1)
        self._starts = np.array(ends[:-1], dtype=np.int64)
        sizes = np.diff(ends).astype(np.float64)
        self._noise = 0.5 * _MISFIT * least * float(sizes.sum())
        self._most = 0.5 * least * (sizes + np.sqrt(2 * sizes))

    def of(self, law: Law) -> Floats:
        """The law's counts."""
        found = [law.marginal(columns).reshape(-1) for columns in self._places]
        return self._total * np.concatenate(found) if found else np.zeros(0)

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

    def split(self, values: Floats) -> dict[Columns, Floats]:
        """Values of all places as one table for each set of columns."""
        return {
            columns: values[place].reshape(self._shapes[columns])
            for columns, place in self._places.items()
        }


def projected(counts: Floats, *, total: float) -> Floats:
    """The nearest counts that are not negative and have this sum."""
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
    return Law(order_of(cells, ()), factors)
