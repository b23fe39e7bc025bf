"""Many coins of one rational bias at once, each exact.

A coin is heads when a uniform real falls below ``p``. Its first 64 bits settle that
unless they are those of ``p`` itself; then the rest of the real, again uniform, is
compared with the rest of ``p`` (``many_coins.proof.md``).
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import numpy.typing as npt

from tacit.core import BadInput, Rng
from tacit.exact.coins import bernoulli

_WORD = 64


def bernoullis(rng: Rng, p: Fraction, count: int) -> npt.NDArray[np.bool_]:
    """``count`` independent booleans, each true with probability exactly ``p``."""
    if not 0 <= p <= 1:
        raise BadInput("a coin's probability lies between 0 and 1")
    if p == 1:
        return np.ones(count, dtype=bool)
    scaled = p * (1 << _WORD)
    cell = scaled.numerator // scaled.denominator
    words = np.frombuffer(rng.bytes(8 * count), dtype=np.uint64)
    heads = np.asarray(words < np.uint64(cell))
    for index in np.flatnonzero(words == np.uint64(cell)).tolist():
        heads[index] = bernoulli(rng, scaled - cell)
    return heads
