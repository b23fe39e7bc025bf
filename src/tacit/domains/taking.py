"""Some rows of a table, whatever it is held in."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.domains.columns import as_array


def taken(table: Any, rows: npt.NDArray[np.int64]) -> Any:
    """These rows of an array, a list or a frame."""
    import pyarrow as pa

    if isinstance(table, (pa.Table, pa.RecordBatch, pa.Array, pa.ChunkedArray)):
        return table.take(pa.array(rows))
    if hasattr(table, "iloc"):  # a pandas frame: its rows are taken by place
        return table.iloc[rows]
    return as_array(table)[rows] if isinstance(table, (list, tuple)) else table[rows]
