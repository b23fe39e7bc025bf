"""The loop behind ``RandomSets`` when there is much to count. Imported only then."""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from tacit.exact.arrays import Values
from tacit.exact.compiled import compiled


@compiled(nogil=True)
def _add(
    multipliers: Values,
    offsets: Values,
    limbs: Values,
    gains: Values,
    limit: np.uint64,
    errors: Values,
) -> None:
    for row in range(offsets.shape[0]):
        total = np.int64(0)
        for value in range(gains.shape[0]):
            word = offsets[row]
            for place in range(limbs.shape[1]):
                word += multipliers[row, place] * limbs[value, place]
            if word < limit:
                total += gains[value]
        errors[row] += total


def add_gains(
    multipliers: npt.NDArray[np.uint64],
    offsets: npt.NDArray[np.uint64],
    limbs: npt.NDArray[np.uint64],
    gains: npt.NDArray[np.int64],
    limit: int,
    errors: npt.NDArray[np.int64],
) -> None:
    """Add to ``errors[i]`` the gains of the values whose hash ``i`` falls below ``limit``."""
    if not (len(limbs) == len(gains) and len(multipliers) == len(offsets) == len(errors)):
        raise IndexError("values and gains, and hashes and errors, must be equally many")
    if limbs.shape[1] > multipliers.shape[1]:
        raise IndexError("every limb needs a multiplier")
    rows = np.ascontiguousarray(multipliers)
    _add(rows, np.ascontiguousarray(offsets), limbs, gains, np.uint64(limit), errors)


@cache
def warm() -> None:
    """Compile the loop, before anything is charged."""
    words = np.zeros((1, 1), dtype=np.uint64)
    gains = np.zeros(1, dtype=np.int64)
    add_gains(words, words[0], words, gains, 1, gains.copy())
