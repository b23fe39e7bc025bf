"""Many uniform whole numbers at once, each exact: by redrawing what does not fall below."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.core import Rng


def uniform_indices(rng: Rng, *, below: int, count: int) -> npt.NDArray[np.int64]:
    """``count`` independent uniform integers in ``[0, below)``, exactly, for ``below <= 2^62``."""
    width = max(1, (below - 1).bit_length())
    found: list[npt.NDArray[np.int64]] = []
    missing = count
    while missing > 0:
        words = np.frombuffer(rng.bytes(8 * (2 * missing + 16)), dtype=np.uint64)
        draws = (words >> np.uint64(64 - width)).astype(np.int64)
        kept = draws[draws < below][:missing]
        found.append(kept)
        missing -= len(kept)
    return np.concatenate(found) if found else np.empty(0, dtype=np.int64)
