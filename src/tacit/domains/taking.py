"""Some rows of a table, whatever it is held in."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from tacit.domains.columns import as_array


@runtime_checkable
class _Placed(Protocol):
    """A pandas frame, as far as its rows are taken by place."""

    @property
    def iloc(self) -> Any: ...


def taken(table: Any, rows: npt.NDArray[np.int64]) -> Any:
    """These rows of an array, a list or a frame."""
    if isinstance(table, np.ndarray):  # most are: to ask a protocol takes longer than the rows
        return table[rows]
    import pyarrow as pa

    if isinstance(table, (pa.Table, pa.RecordBatch, pa.Array, pa.ChunkedArray)):
        return table.take(pa.array(rows))
    if isinstance(table, _Placed):
        return table.iloc[rows]
    return as_array(table)[rows] if isinstance(table, (list, tuple)) else table[rows]
