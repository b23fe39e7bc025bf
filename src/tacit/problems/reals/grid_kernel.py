"""Count the mistakes of all normals of a grid, a line of the grid at a time.

Along a line one entry of the normal grows in equal steps, so each record changes its side at most
once: where, is one division. Imported only where a grid is large.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from tacit.exact.arrays import Counts, Floats, Truths, Values
from tacit.exact.compiled import compiled


@compiled(nogil=True)
def _count_lines(
    records: Values,
    ones: Values,
    start: np.int64,
    stop: np.int64,
    cells: np.int64,
    counts: Values,
    found: Values,
) -> None:
    """Mistakes of the normals of lines ``start`` to ``stop - 1``.

    ``records`` holds twice each entry, plus one where the answer is read off: all products are
    odd. ``counts[e]`` grows by the normals with ``e`` mistakes. ``found``, if it has room, gets
    the mistakes of each normal.
    """
    n, width = records.shape
    place = np.zeros(width, dtype=np.int64)
    change = np.zeros(cells + 1, dtype=np.int64)
    values = np.zeros(n, dtype=np.int64)
    each_face = np.int64(1)
    for _ in range(width - 2):
        each_face *= cells
    for line in range(start, stop):
        face = line // each_face
        axis, side = face // 2, face % 2
        rest = line % each_face
        moving, second = (axis + 1) % width, (axis + 2) % width
        if line == start or rest % cells == 0:
            for step in range(2, width):
                place[(axis + step) % width] = 2 * (rest % cells) + 1 - cells
                rest //= cells
            place[axis] = cells if side == 0 else -cells
            place[moving] = 1 - cells
            for i in range(n):
                values[i] = 1
                for column in range(width):
                    values[i] += place[column] * records[i, column]
        else:  # one step along the second entry from the line before
            for i in range(n):
                values[i] += 2 * records[i, second]
        for p in range(cells + 1):
            change[p] = 0
        for i in range(n):
            value = values[i]
            step_by = 2 * records[i, moving]
            # The answer is 1 from the line's place ``turn`` on, or up to it.
            if step_by == 0:
                turn = np.int64(0) if value > 0 else cells
            elif (value > 0) == (step_by > 0):
                turn = np.int64(0)
            else:
                turn = np.int64(-value / step_by)
                if turn > cells:
                    turn = cells
                while turn < cells and (value + step_by * turn > 0) != (step_by > 0):
                    turn += 1
                while turn > 0 and (value + step_by * (turn - 1) > 0) == (step_by > 0):
                    turn -= 1
            rising = step_by >= 0
            if rising == (ones[i] != 0):
                change[0] += 1
                change[turn] -= 1
            else:
                change[turn] += 1
        wrong = np.int64(0)
        for p in range(cells):
            wrong += change[p]
            counts[wrong] += 1
            if found.shape[0] > 0:
                found[(line - start) * cells + p] = wrong


def count_lines(
    x: Floats, y: Truths, *, start: int, stop: int, cells: int, listed: bool = False
) -> tuple[Counts, Counts]:
    """How many normals of these lines make each number of mistakes, and each one's if listed."""
    if stop < start or cells < 1 or len(x) != len(y) or x.shape[1] < 3:
        raise IndexError("lines, cells, records and labels do not fit")
    records = np.ascontiguousarray((2 * x).astype(np.int64))
    counts = np.zeros(len(x) + 1, dtype=np.int64)
    found = np.zeros((stop - start) * cells if listed else 0, dtype=np.int64)
    labels = np.ascontiguousarray(y.astype(np.uint8))
    first, last, fine = np.int64(start), np.int64(stop), np.int64(cells)
    _count_lines(records, labels, first, last, fine, counts, found)
    return counts, found


@cache
def warm() -> None:
    """Compile the loop, before anything is charged."""
    count_lines(np.zeros((1, 3)), np.zeros(1, dtype=bool), start=0, stop=1, cells=1)
