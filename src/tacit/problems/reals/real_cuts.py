"""Cuts on the unit scale: finitely many that stand in for all of them.

A cut ``c`` splits a column into ``x < c`` and ``x >= c``. Between two cuts lie the
values on which they disagree, so covering all cuts is covering a line.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from tacit.domains.reals import Floats

MOST_RULES = 1 << 23
"""The largest cover that is written out; its errors take eight bytes each."""

BEYOND = 2.0
"""A cut above every value of the unit scale."""


def centres(cells: int) -> Floats:
    """The centres of ``cells`` equal parts of [0, 1], as float64.

    Every cut is within ``1 / (2 cells)`` of a centre, up to rounding by 2^-53.
    """
    middles: Floats = (2.0 * np.arange(cells, dtype=np.float64) + 1.0) / (2.0 * cells)
    return middles


def cells_for(radius: Fraction) -> int:
    """The least number of cells whose centres come within ``radius`` of every cut."""
    return max(1, -(-radius.denominator // (2 * radius.numerator)))


def steps(points: npt.NDArray[np.int64], reach: int) -> npt.NDArray[np.int64]:
    """Indices of few members of ascending ``points`` within ``reach`` of all of them.

    Greedy from the left, which is optimal on a line. There are at most
    ``most_steps(span, reach)``: two first points not covered lie more than ``reach``
    apart.
    """
    if reach == 0:
        return np.flatnonzero(np.append(np.diff(points) != 0, len(points) > 0))
    chosen: list[int] = []
    first = 0
    while first < len(points):
        middle = int(np.searchsorted(points, points[first] + reach, side="right")) - 1
        chosen.append(middle)
        first = int(np.searchsorted(points, points[middle] + reach, side="right"))
    return np.array(chosen, dtype=np.int64)


def most_steps(span: int, reach: int) -> int:
    """How many members ``steps`` chooses at most among points in ``[0, span]``."""
    return span // (reach + 1) + 1


def cuts_on(column: Floats, reach: int) -> Floats:
    """Few cuts such that every cut disagrees with one of them on at most ``reach`` records.

    The column decides them, so this is for public columns only.
    """
    values, counts = np.unique(column, return_counts=True)
    below = np.concatenate(([0], np.cumsum(counts)))
    cuts: Floats = np.append(values, BEYOND)[steps(below, reach)]
    return cuts


def farthest(cuts: Floats) -> Fraction:
    """How far a cut in [0, 1] can be from the nearest of ``cuts`` (ascending), exactly."""
    exact = [Fraction(cut) for cut in cuts.tolist()]
    inner = [(right - left) / 2 for left, right in pairwise(exact)]
    return max([exact[0], 1 - exact[-1], *inner])


def read_cut(text: str) -> float:
    """A cut that ``float.hex`` wrote; one that is no number, or lies below all, is refused."""
    cut = float.fromhex(text)
    if not cut > -np.inf:
        raise ValueError("a cut must be a number")
    return cut
