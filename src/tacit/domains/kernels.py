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
        for place in range(borders):  # numba compiles a slice for seconds, a loop at once
            walls[start + 1 + place] = cuts[ends[column] + place]
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


_NEAR = 1e-6  # a guess so near a whole number is looked at again


@compiled()
def _is_even(walls: Any, lowest: float, scale: float) -> bool:
    """Whether the guess for border ``k`` itself is ``k + 1`` but for half of ``_NEAR``."""
    if not scale > 0.0:
        return False
    for border in range(len(walls) - 2):
        guess = (walls[border + 1] - lowest) * scale + 1.0
        if not np.abs(guess - (border + 1)) < 0.5 * _NEAR:
            return False
    return True


@compiled()
def _guessed(values: Any, lowest: float, scale: float, most: float, extra: int, out: Any) -> int:
    """Place a block by guesses alone; returns how many of them are in doubt.

    The guess never falls where the value rises. So one above the guess of a border belongs to a
    value above that border, and one below to a value below: between borders that are even, only
    a guess near a whole number leaves a doubt. No branch depends on a value.
    """
    doubts, first = 0, np.int32(extra)
    for row in range(len(values)):
        guess = (values[row] - lowest) * scale + 1.0
        inside = guess if guess > 0.5 else 0.5
        inside = inside if inside < most + 0.5 else most + 0.5
        doubts += (np.abs(inside - np.rint(inside)) < _NEAR) | (values[row] != values[row])
        out[row] = np.int32(inside) + first
    return doubts


@compiled()
def _compared(values: Any, walls: Any, scale: float, extra: int, out: Any) -> None:
    """Place a block by guesses that are compared with the borders, whatever these are."""
    borders = len(walls) - 2
    lowest, most = walls[1], float(borders)
    for row in range(len(values)):
        value = values[row]
        guess = (value - lowest) * scale + 1.0
        guess = guess if guess > 0.0 else 0.0  # also what is not a number
        guess = guess if guess < most else most
        cell = np.int64(guess)
        if not ((walls[cell] <= value) & (value < walls[cell + 1])):
            if np.isnan(value):
                out[row] = 0
                continue
            while cell > 0 and walls[cell] > value:
                cell -= 1
            while cell < borders and walls[cell + 1] <= value:
                cell += 1
        out[row] = cell + extra


@compiled()
def _place(
    table: npt.NDArray[np.float64],
    cuts: npt.NDArray[np.float64],
    ends: npt.NDArray[np.int64],
    missing: npt.NDArray[np.int64],
) -> npt.NDArray[np.int32]:
    """Place all rows, a block at a time: a table that is stored by rows is then read once, and
    not once per column.

    A block in which guesses leave a doubt is compared with the borders themselves, and so are
    all others of its column from then on where that happens often.
    """
    rows, columns = table.shape
    out = np.empty((columns, rows), np.int32)
    walls = _walled(cuts, ends)
    block = 1 << 10
    values, doubted = np.empty(block, np.float64), np.zeros(columns, np.int64)
    scales, quick = np.zeros(columns, np.float64), np.zeros(columns, np.bool_)
    for column in range(columns):
        start, borders = ends[column] + 2 * column, ends[column + 1] - ends[column]
        own = walls[start : start + borders + 2]
        if borders > 1:
            scales[column] = _spacing(borders, own[1], own[borders])
            quick[column] = _is_even(own, own[1], scales[column])
    for first in range(0, rows, block):
        many = min(block, rows - first)
        for column in range(columns):
            start, borders = ends[column] + 2 * column, ends[column + 1] - ends[column]
            own, scale = walls[start : start + borders + 2], scales[column]
            here, cells = values[:many], out[column, first : first + many]
            for row in range(many):
                here[row] = table[first + row, column]
            extra = missing[column]
            if quick[column] and 4 * doubted[column] <= first // block + 4:
                if not _guessed(here, own[1], scale, float(borders), extra, cells):
                    continue
                doubted[column] += 1
            _compared(here, own, scale, extra, cells)
    return out
