"""Shapes and ranges, compared before compiled code takes them for granted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tacit.exact.arrays import Values


def check_cells(cells: Values, labels: Values, limits: Sequence[int] | Values) -> None:
    """Refuse placed records that a compiled kernel would read or count out of bounds.

    ``cells`` has one row per label and one column per limit, and every entry of a column is
    at least 0 and below its limit. Compiled code checks none of this and would use memory
    that is not the table.
    """
    if labels.ndim != 1 or cells.shape != (len(labels), len(limits)):
        raise IndexError("placed records and labels must have one row per record each")
    if len(labels) and len(limits):
        low, high = cells.min(axis=0), cells.max(axis=0)
        if (low < 0).any() or (high >= np.asarray(limits)).any():
            raise IndexError("a placed record must be one of the public cells")
