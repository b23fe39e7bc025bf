"""Loops that numpy cannot do in one pass. Imported only when there is much to count."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.domains.guards import check_cells
from tacit.exact.arrays import Placed, Values
from tacit.exact.compiled import compiled, steady


@compiled(nogil=True)
def _count(x: Values, y: Values, counts: Values) -> None:
    for i in range(x.shape[0]):
        counts[(x[i] << np.uint64(1)) | np.uint64(y[i])] += 1


def count_labels(x: Placed, y: npt.NDArray[np.bool_], size: int) -> npt.NDArray[np.int64]:
    """A ``(size, 2)`` table of how often each value carries each label."""
    check_cells(x[:, None], y, (size,))
    counts = np.zeros(2 * size, dtype=np.int64)
    _count(steady(x.view(np.uint64)), steady(y.view(np.uint8)), counts)
    return counts.reshape(size, 2)
