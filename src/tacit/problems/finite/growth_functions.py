"""How many ways a class can label ``n`` values, as logarithms that are not too small.

``sqrt(2 n ln Pi(n))`` bounds what is expected of the largest deviation of a class. Where a class
has ends on a line, half-deviations bound the same expectation by a multiple of ``sqrt(n)``; such
a function returns the logarithm that gives the smaller of the two.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import comb, log

from tacit.core.numbers import whole

_UP = 1 + 1e-9
_HALF_DEVIATION = 0.88830
"""Not below the integral of ``min(1, 2 exp(-2 a^2))`` over ``a >= 0``."""


def from_ends(ends: int) -> float:
    """What half-deviations at ``ends`` moving ends are worth: ``(2 ends .8883)^2 / 2``."""
    return (2 * ends * _HALF_DEVIATION) ** 2 / 2 * _UP


@lru_cache(maxsize=1 << 16)
def _ln_sauer(n: int, dimension: int) -> float:
    if dimension >= n:
        return n * log(2) * _UP
    return log(sum(comb(n, i) for i in range(dimension + 1))) * _UP


def sauer(dimension: int) -> Callable[[int], float]:
    """Every class of this VC dimension: at most ``sum_i C(n, i)`` labellings."""
    most = whole(dimension, name="dimension", least=0)
    return lambda n: _ln_sauer(n, most)


def thresholds(n: int) -> float:
    """Thresholds of one direction: ``n + 1`` labellings."""
    return log(n + 1) * _UP


def intervals(n: int) -> float:
    """Intervals: ``n (n+1)/2 + 1`` labellings, or two ends."""
    return min(_intervals(n), from_ends(2))


def _intervals(n: int) -> float:
    return log(n * (n + 1) // 2 + 1) * _UP


def unions(pieces: int) -> Callable[[int], float]:
    """Unions of at most ``pieces`` intervals: the labellings of VC dimension ``2 pieces``, or so
    many ends.
    """
    count = whole(pieces, name="pieces", least=1)
    return lambda n: min(_ln_sauer(n, 2 * count), from_ends(2 * count))


def boxes(columns: int) -> Callable[[int], float]:
    """Boxes of this many columns: an interval in each, and the VC dimension is twice as many."""
    count = whole(columns, name="columns", least=1)
    if count == 1:
        return intervals
    return lambda n: min(count * _intervals(n), _ln_sauer(n, 2 * count))


def halfspaces(dimension: int) -> Callable[[int], float]:
    """Homogeneous halfspaces: ``2 sum_(i<d) C(n-1, i)`` labellings (Cover)."""
    count = whole(dimension, name="dimension", least=1)
    return lambda n: log(2) * _UP + _ln_sauer(max(n - 1, 0), count - 1)
