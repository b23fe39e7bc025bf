"""Compiled placement of long columns; imported only when a column is long."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.exact.compiled import compiled, steady


@compiled()
def _spacing(borders: int, lowest: float, highest: float) -> float:
    """Borders per unit; 0, which makes every guess the first cell, where they nearly meet."""
    width = highest - lowest
    return (borders - 1) / width if width > 1e-300 else 0.0


@compiled()
def _walled(cuts: npt.NDArray[np.float64], ends: npt.NDArray[np.int64]) -> Any:
    """Every column's borders between walls at minus and plus infinity."""
    columns = len(ends) - 1
    walls = np.empty(len(cuts) + 2 * columns, np.float64)
    for column in range(columns):
        start, borders = ends[column] + 2 * column, ends[column + 1] - ends[column]
        walls[start] = -np.inf
        walls[start + 1 : start + 1 + borders] = cuts[ends[column] : ends[column + 1]]
        walls[start + 1 + borders] = np.inf
    return walls


def count_borders(
    values: npt.NDArray[np.float64], cuts: npt.NDArray[np.float64], missing: int
) -> npt.NDArray[np.int32]:
    """``searchsorted(cuts, value, side="right") + missing``; NaN goes to cell 0."""
    ends = np.array([0, len(cuts)], dtype=np.int64)
    placed: npt.NDArray[np.int32] = place_table(
        values[:, None], cuts, ends, np.array([missing], dtype=np.int64)
    )
    first: npt.NDArray[np.int32] = placed[0]
    return first


@compiled(nogil=True)
def read_plain(
    data: npt.NDArray[np.uint8], offsets: npt.NDArray[np.int32], powers: npt.NDArray[np.float64]
) -> Any:
    """Read decimal numbers of at most 15 digits, such as ``-12`` or ``0.25``: (value, was one).

    Cell ``i`` lies between ``offsets[i]`` and ``offsets[i + 1]``. The digits make a whole number
    below 2^53 and ``powers`` are exact, so one division rounds correctly.
    """
    cells = len(offsets) - 1
    values, plain = np.empty(cells, np.float64), np.zeros(cells, np.bool_)
    for cell in range(cells):
        position, stop = offsets[cell], offsets[cell + 1]
        minus = position < stop and data[position] == 45
        position += minus
        if stop - position > 16:  # fifteen digits and a point
            continue
        whole, first, after, point = np.int64(0), position, 0, False
        while position < stop and 48 <= data[position] <= 57:
            whole = 10 * whole + (np.int64(data[position]) - 48)
            position += 1
        digits = position - first
        if digits > 0 and position < stop and data[position] == 46:
            point, position = True, position + 1
            first = position
            while position < stop and 48 <= data[position] <= 57:
                whole = 10 * whole + (np.int64(data[position]) - 48)
                position += 1
            after = position - first
        if position == stop and 0 < digits + after < 16 and point == (after > 0):
            value = np.float64(whole) / powers[after] if point else np.float64(whole)
            values[cell] = -value if minus else value
            plain[cell] = True
    return values, plain


POWERS: npt.NDArray[np.float64] = np.array([10.0**place for place in range(16)])


@cache
def warm_texts() -> None:
    """Compile the reading of numbers, before anything is charged."""
    read_plain(steady(np.array([49], np.uint8)), steady(np.array([0, 1], np.int32)), steady(POWERS))


@cache
def warm() -> None:
    """Compile the loops for tables kept by rows and by columns, before anything is charged."""
    ends, missing = np.array([0, 1, 2]), np.array([1, 1])
    for order in ("C", "F"):
        place_table(np.zeros((2, 2), order=order), np.zeros(2), ends, missing)


def place_table(
    table: npt.NDArray[np.float64],
    cuts: npt.NDArray[np.float64],
    ends: npt.NDArray[np.int64],
    missing: npt.NDArray[np.int64],
) -> npt.NDArray[np.int32]:
    """``count_borders`` of every column at once: ``out[column, row]``.

    Column ``c`` has the borders ``cuts[ends[c] : ends[c + 1]]``.
    """
    placed: npt.NDArray[np.int32] = _place(steady(table), cuts, ends, missing)
    return placed


@compiled()
def _place(
    table: npt.NDArray[np.float64],
    cuts: npt.NDArray[np.float64],
    ends: npt.NDArray[np.int64],
    missing: npt.NDArray[np.int64],
) -> npt.NDArray[np.int32]:
    """Place all rows, a block at a time: a table that is stored by rows is then read once, and
    not once per column.

    The guess from an equal spacing is compared with the borders themselves, so any ascending
    borders give the right answer; only where it is wrong does the loop branch.
    """
    rows, columns = table.shape
    out = np.empty((columns, rows), np.int32)
    walls = _walled(cuts, ends)
    block = 1 << 10
    for first in range(0, rows, block):
        last = min(rows, first + block)
        for column in range(columns):
            start, borders = ends[column] + 2 * column, ends[column + 1] - ends[column]
            lowest, most = walls[start + 1], float(borders)
            scale = _spacing(borders, lowest, walls[start + borders]) if borders > 1 else 0.0
            for row in range(first, last):
                value = table[row, column]
                guess = (value - lowest) * scale + 1.0
                guess = guess if guess > 0.0 else 0.0  # also what is not a number
                guess = guess if guess < most else most
                cell = np.int64(guess)
                if not ((walls[start + cell] <= value) & (value < walls[start + cell + 1])):
                    if np.isnan(value):
                        out[column, row] = 0
                        continue
                    while cell > 0 and walls[start + cell] > value:
                        cell -= 1
                    while cell < borders and walls[start + cell + 1] <= value:
                        cell += 1
                out[column, row] = cell + missing[column]
    return out
