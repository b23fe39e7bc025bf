"""Discrete Gaussian noise: ``P(z)`` proportional to ``exp(-z^2 / (2 variance))``, exactly.

One draw at a time by rejection from two-sided geometric noise, after Canonne, Kamath and
Steinke (2020); many at once by accepting with 64-bit thresholds, each draw that lands on a
threshold being settled with further bits. Both have the same law: ``gaussian.proof.md``.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import isqrt

import numpy as np
import numpy.typing as npt

from tacit.core import BadInput, NumericalDoubt, Rng
from tacit.exact.balls import at, ball
from tacit.exact.coins import bernoulli_exp
from tacit.exact.geometric import two_sided_geometric, two_sided_geometrics
from tacit.exact.lazy import Lazy

_TABLE_SIDE = 1 << 14  # a wider law is drawn without a table
_MOST_BITS = 1 << 14  # precision after which a cell counts as undecidable
_WALK_BITS = 256  # of a walk along the table: what its products lose is far below one cell
_REACH = 40  # sides of the law that the table covers


def _side(variance: Fraction) -> int:
    """The scale of the geometric noise that is drawn from: ``floor(sigma) + 1``."""
    return isqrt(variance.numerator // variance.denominator) + 1


def _penalty(size: int, variance: Fraction, side: int) -> Fraction:
    """A draw of this size is kept with probability ``exp`` of minus this."""
    return (size - variance / side) ** 2 / (2 * variance)


def discrete_gaussian(rng: Rng, variance: Fraction) -> int:
    """One draw of ``P(z) ∝ exp(-z**2 / (2 * variance))`` for a rational ``variance > 0``."""
    if variance <= 0:
        raise BadInput("the variance of the noise must be greater than 0")
    side = _side(variance)
    while True:
        z = two_sided_geometric(rng, Fraction(side))
        if bernoulli_exp(rng, _penalty(abs(z), variance, side)):
            return z


@lru_cache(maxsize=16)
def _kept(variance: Fraction) -> npt.NDArray[np.uint64]:
    """``floor(2^64 P(kept))`` for sizes 0, 1, 2, ... as far as the table goes."""
    side = _side(variance)
    cells = np.zeros(_REACH * side + 1, dtype=np.uint64)
    with at(_WALK_BITS):
        first, second = (_penalty(size, variance, side) for size in (0, 1))
        scaled = (-ball(first)).exp() * ball(1 << 64)
        ratio, step = ball(first - second).exp(), (-1 / ball(variance)).exp()
        for size in range(len(cells)):
            found = scaled.floor().unique_fmpz()
            cell = _cell(_penalty(size, variance, side)) if found is None else int(found)
            if cell == 0 and size * side >= variance:
                break  # from here on penalties grow: all further cells are 0
            cells[size] = cell
            scaled, ratio = scaled * ratio, ratio * step
    return cells


def _cell(exponent: Fraction) -> int:
    """``floor(2^64 exp(-exponent))``, or the last word for a certain event."""
    if exponent == 0:
        return (1 << 64) - 1
    bits = 128
    while bits <= _MOST_BITS:
        with at(bits):
            cell = ((-ball(exponent)).exp() * ball(1 << 64)).floor().unique_fmpz()
        if cell is not None:
            return int(cell)
        bits *= 2
    raise NumericalDoubt("a threshold of the noise could not be computed")


def _settle(rng: Rng, exponent: Fraction, prefix: int) -> bool:
    """Whether a uniform that begins with these 64 bits lies below ``exp(-exponent)``."""
    if exponent == 0:
        return True
    lazy, bits = Lazy(rng, prefix=prefix, length=64), 128
    while bits <= _MOST_BITS:
        lazy.extend(bits)
        with at(bits + 64):
            u, chance = lazy.ball(), (-ball(exponent)).exp()
            if u < chance:
                return True
            if u > chance:
                return False
        bits *= 2
    raise NumericalDoubt("a coin could not be settled")


def discrete_gaussians(rng: Rng, variance: Fraction, count: int) -> npt.NDArray[np.int64]:
    """``count`` independent draws; the law is that of ``discrete_gaussian``."""
    if variance <= 0:
        raise BadInput("the variance of the noise must be greater than 0")
    side = _side(variance)
    if side > _TABLE_SIDE:
        draws = (discrete_gaussian(rng, variance) for _ in range(count))
        return np.fromiter(draws, dtype=np.int64, count=count)
    cells = _kept(variance)
    drawn = np.zeros(count, dtype=np.int64)
    open_places = np.arange(count)
    while len(open_places):
        proposals = two_sided_geometrics(rng, Fraction(side), len(open_places))
        words = np.frombuffer(rng.bytes(8 * len(open_places)), dtype=np.uint64)
        sizes = np.abs(proposals)
        known = np.minimum(sizes, len(cells) - 1)
        heads = np.asarray(words < cells[known])
        doubtful = (words == cells[known]) | (sizes >= len(cells))
        for index in np.flatnonzero(doubtful).tolist():
            exponent = _penalty(int(sizes[index]), variance, side)
            heads[index] = _settle(rng, exponent, int(words[index]))
        drawn[open_places[heads]] = proposals[heads]
        open_places = open_places[~heads]
    return drawn
