"""Two-sided geometric noise: ``P(z)`` proportional to ``exp(-|z| / scale)``, exactly.

One draw at a time by integer coins; many at once by inverting the distribution
function with 64-bit thresholds, each draw that lands on a threshold being settled
with further bits. Both have the same law: ``geometric.proof.md``.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from tacit.core import BadInput, Rng
from tacit.exact.balls import Ball, at, ball
from tacit.exact.coins import bernoulli_exp
from tacit.exact.lazy import Lazy

_ONE = Fraction(1)
_TABLE_SCALE = 1 << 11  # a larger scale is drawn without a table
_WORD_SCALE = 1 << 50
_WALK_BITS = 256  # of a walk along the table: what its products lose is far below one cell


def two_sided_geometric(rng: Rng, scale: Fraction) -> int:
    """One draw of ``P(z) ∝ exp(-|z|/scale)`` for a rational ``scale > 0``."""
    if scale <= 0:
        raise BadInput("the noise scale must be greater than 0")
    a, b = scale.numerator, scale.denominator
    while True:
        remainder = rng.below(a)
        if not bernoulli_exp(rng, Fraction(remainder, a)):
            continue
        quotient = 0
        while bernoulli_exp(rng, _ONE):
            quotient += 1
        size = (remainder + a * quotient) // b
        if rng.bits(1):
            return size
        if size:
            return -size


def _tail(scale: Fraction, m: int) -> Ball:
    """``P(|Z| >= m)`` for ``m >= 1``: ``2 q^m / (1 + q)`` with ``q = exp(-1/scale)``."""
    q = (-1 / ball(scale)).exp()
    return 2 * (-ball(m) / ball(scale)).exp() / (1 + q)


def _cell(scale: Fraction, m: int) -> int:
    """``floor(2^64 P(|Z| >= m))``, with as many bits as that takes."""
    bits = 128
    while True:
        with at(bits):
            cell = (_tail(scale, m) * ball(1 << 64)).floor().unique_fmpz()
        if cell is not None:
            return int(cell)
        bits *= 2


@lru_cache(maxsize=64)
def _thresholds(scale: Fraction) -> npt.NDArray[np.uint64]:
    """``floor(2^64 P(|Z| >= m))`` for m = 1, 2, ... while positive, ascending for search."""
    cells: list[int] = []
    with at(_WALK_BITS):
        scaled, step = _tail(scale, 1) * ball(1 << 64), (-1 / ball(scale)).exp()
        while True:
            found = scaled.floor().unique_fmpz()
            cell = _cell(scale, len(cells) + 1) if found is None else int(found)
            if cell == 0:
                break
            cells.append(cell)
            scaled *= step
    return np.array(cells[::-1], dtype=np.uint64)


def _settle(rng: Rng, scale: Fraction, prefix: int) -> int:
    """The size ``|Z|`` for a uniform that begins with these 64 bits: exact, any precision.

    ``|Z| >= m`` exactly when ``U < P(|Z| >= m)``.
    """
    lazy = Lazy(rng, prefix=prefix, length=64)
    size, bits = 0, 128
    while True:
        lazy.extend(bits)
        with at(bits + 64):
            u, tail = lazy.ball(), _tail(scale, size + 1)
            if u < tail:
                size += 1
                continue
            if u > tail:
                return size
        bits *= 2


def two_sided_geometrics(rng: Rng, scale: Fraction, count: int) -> npt.NDArray[np.int64]:
    """``count`` independent draws; the law is that of ``two_sided_geometric``."""
    if scale > _WORD_SCALE:
        # One draw in exp(8192) would not fit a 64-bit word at this scale; beyond, many.
        raise BadInput(f"noise for arrays needs a scale of at most {_WORD_SCALE}")
    if scale > _TABLE_SCALE or scale <= 0:
        draws = (two_sided_geometric(rng, scale) for _ in range(count))
        return np.fromiter(draws, dtype=np.int64, count=count)
    cells = _thresholds(scale)
    words = np.frombuffer(rng.bytes(8 * count), dtype=np.uint64)
    # U < P(|Z| >= m) is certain when the word is below the cell of m, certainly false above.
    at_least = len(cells) - np.searchsorted(cells, words, side="right")
    sizes = at_least.astype(np.int64)
    on_a_threshold = np.flatnonzero(len(cells) - np.searchsorted(cells, words, "left") != at_least)
    doubtful = set(on_a_threshold.tolist()) | set(np.flatnonzero(words == 0).tolist())
    for index in sorted(doubtful):
        sizes[index] = _settle(rng, scale, int(words[index]))
    signs = np.unpackbits(np.frombuffer(rng.bytes((count + 7) // 8), dtype=np.uint8))[:count]
    return np.where(signs.astype(bool), sizes, -sizes)
