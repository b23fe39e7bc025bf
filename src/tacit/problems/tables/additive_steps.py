"""Turn two noisy sums of every cell of a column into points, by halves of the column."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import sqrt

from tacit.problems.tables.points_rule import MOST_POINTS, POINTS


def points_of_cells(gaps: Sequence[int], curves: Sequence[int], *, usual: float) -> tuple[int, ...]:
    """The whole points of every cell, from noisy sums of gaps and of slopes.

    ``usual`` is the standard deviation of the noise on a sum of gaps. Noise is all that is held
    back: neighbouring cells that it does not let tell apart get the same points.
    """
    halves = _Halves(gaps, curves, usual)
    points = (round(POINTS * step) for step in halves.steps())
    return tuple(max(-MOST_POINTS, min(MOST_POINTS, one)) for one in points)


class _Halves:
    """Newton steps of a column, then of its halves, of their halves, and so on.

    A part's step is that of the whole plus what its half has beyond it. What a half has beyond is
    a difference with known noise, and multiplied by ``held_back``: Theorem 4 of
    ``additive_learner.proof.md``.
    """

    def __init__(self, gaps: Sequence[int], curves: Sequence[int], usual: float) -> None:
        self._gaps = (0, *accumulate(map(int, gaps)))
        self._curves = (0, *accumulate(map(int, curves)))
        self._usual = max(usual, 1.0)  # one unit of the sums, where there is no noise to speak of
        self._found = [0.0] * len(gaps)

    def steps(self) -> list[float]:
        """The step of every cell."""
        last = len(self._found)
        noise = self._usual * sqrt(last)
        self._divide(0, last, held_back(self._gap(0, last), noise) / self._slope(0, last))
        return self._found

    def _divide(self, first: int, end: int, step: float) -> None:
        if end - first == 1:
            self._found[first] = step
            return
        middle = (first + end + 1) // 2
        low, high = self._slope(first, middle), self._slope(middle, end)
        part = low / (low + high)
        beyond = (1 - part) * self._gap(first, middle) - part * self._gap(middle, end)
        noise = sqrt((1 - part) ** 2 * (middle - first) + part**2 * (end - middle))
        told = held_back(beyond, self._usual * noise)
        self._divide(first, middle, step + told / low)
        self._divide(middle, end, step - told / high)

    def _gap(self, first: int, end: int) -> float:
        return float(self._gaps[end] - self._gaps[first])

    def _slope(self, first: int, end: int) -> float:
        """The slopes of some cells, and as much as their gaps' noise: always above 0."""
        slopes = max(self._curves[end] - self._curves[first], 0)
        return slopes + self._usual * sqrt(end - first)


def held_back(told: float, noise: float) -> float:
    """A noisy number times ``max(0, 1 - noise**2/told**2)``: 0 where it is not above its noise.

    >>> held_back(2.0, 1.0), held_back(-0.5, 1.0)
    (1.5, 0.0)
    """
    return told - noise * (noise / told) if abs(told) > noise else 0.0
