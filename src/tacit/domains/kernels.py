"""Compiled placement of long columns; imported only when a column is long."""

from __future__ import annotations

import numba
import numpy as np
import numpy.typing as npt


@numba.njit(cache=True)  # type: ignore[untyped-decorator]
def _spacing(borders: int, lowest: float, highest: float) -> float:
    """Borders per unit; 0, which makes every guess the first cell, where they nearly meet."""
    width = highest - lowest
    return (borders - 1) / width if width > 1e-300 else 0.0


@numba.njit(cache=True)  # type: ignore[untyped-decorator]
def count_borders(
    values: npt.NDArray[np.float64], cuts: npt.NDArray[np.float64], missing: int
) -> npt.NDArray[np.int32]:
    """``searchsorted(cuts, value, side="right") + missing``; NaN goes to cell 0.

    The guess from an equal spacing is corrected by comparisons with the borders
    themselves, so any ascending borders give the right answer.
    """
    out = np.empty(len(values), np.int32)
    borders = len(cuts)
    scale = 0.0
    if borders > 1:
        scale = _spacing(borders, cuts[0], cuts[borders - 1])
    for row in range(len(values)):
        value = values[row]
        if np.isnan(value):
            out[row] = 0
            continue
        cell = 0
        if borders > 0 and value >= cuts[0]:
            cell = borders
            if value < cuts[borders - 1]:
                cell = min(borders - 1, int((value - cuts[0]) * scale) + 1)
                while cuts[cell - 1] > value:
                    cell -= 1
                while cuts[cell] <= value:
                    cell += 1
        out[row] = cell + missing
    return out


@numba.njit(cache=True)  # type: ignore[untyped-decorator]
def place_table(
    table: npt.NDArray[np.float64],
    cuts: npt.NDArray[np.float64],
    ends: npt.NDArray[np.int64],
    missing: npt.NDArray[np.int64],
) -> npt.NDArray[np.int32]:
    """``count_borders`` of every column at once: ``out[column, row]``.

    Column ``c`` has the borders ``cuts[ends[c] : ends[c + 1]]``. Rows are taken a block at
    a time: a table that is stored by rows is then read once, not once per column.
    """
    rows, columns = table.shape
    out = np.empty((columns, rows), np.int32)
    block = 1 << 10
    for first in range(0, rows, block):
        last = min(rows, first + block)
        for column in range(columns):
            start, borders = ends[column], ends[column + 1] - ends[column]
            lowest = cuts[start] if borders else np.inf
            highest = cuts[start + borders - 1] if borders else np.inf
            scale = _spacing(borders, lowest, highest) if borders > 1 else 0.0
            for row in range(first, last):
                value = table[row, column]
                if np.isnan(value):
                    out[column, row] = 0
                    continue
                cell = 0
                if value >= lowest and borders:
                    cell = borders
                    if value < highest:
                        cell = min(borders - 1, int((value - lowest) * scale) + 1)
                        while cuts[start + cell - 1] > value:
                            cell -= 1
                        while cuts[start + cell] <= value:
                            cell += 1
                out[column, row] = cell + missing[column]
    return out
