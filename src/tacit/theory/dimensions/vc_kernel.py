"""The inner loop of the VC search, compiled."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tacit.exact.compiled import compiled


@compiled(inline="always")
def _count(word: np.uint64) -> np.uint64:
    one = np.uint64(1)
    word = word - ((word >> one) & np.uint64(0x5555555555555555))
    two = np.uint64(0x3333333333333333)
    word = (word & two) + ((word >> np.uint64(2)) & two)
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return (word * np.uint64(0x0101010101010101)) >> np.uint64(56)


@compiled()
def extend(
    cells: NDArray[np.uint64],
    columns: NDArray[np.uint64],
    candidates: NDArray[np.int64],
    chosen: int,
    k: int,
    budget: int,
) -> tuple[int, NDArray[np.int64]]:
    """Look for ``k - chosen`` candidates that shatter together with the points chosen before.

    Returns 1 and the candidates, 0 if there are none, 2 if ``budget`` cell tests were not
    enough to tell. ``cells`` are the ``2**chosen`` classes of concepts made so far.
    """
    width = columns.shape[1]
    levels = k - chosen
    many = candidates.shape[0]
    none = np.empty(0, np.int64)
    parts = np.zeros((levels + 1, cells.shape[0] << levels, width), np.uint64)
    options = np.zeros((levels + 1, many), np.int64)
    usable = np.zeros(levels + 1, np.int64)
    position = np.zeros(levels + 1, np.int64)
    path = np.zeros(levels, np.int64)
    for c in range(cells.shape[0]):
        need = np.uint64(1) << np.uint64(levels)
        have = np.uint64(0)
        for w in range(width):
            parts[0, c, w] = cells[c, w]
            have += _count(cells[c, w])
        if have < need:
            return 0, none
    options[0, :many] = candidates
    usable[0] = many
    level = 0
    fresh = True
    while level >= 0:
        count = cells.shape[0] << level
        if fresh:
            need = np.uint64(1) << np.uint64(levels - level - 1)
            kept = 0
            for at in range(usable[level]):
                point = options[level, at]
                good = True
                for c in range(count):
                    budget -= 1
                    ones = np.uint64(0)
                    all_ = np.uint64(0)
                    for w in range(width):
                        cell = parts[level, c, w]
                        ones += _count(cell & columns[point, w])
                        all_ += _count(cell)
                    if ones < need or all_ - ones < need:
                        good = False
                        break
                if good:
                    options[level, kept] = point
                    kept += 1
            usable[level] = kept
            position[level] = 0
            if kept > 0 and level == levels - 1:
                path[level] = options[level, 0]
                return 1, path
            if budget < 0:
                return 2, none
            fresh = False
        if position[level] > usable[level] - (levels - level):
            level -= 1
            continue
        at = position[level]
        position[level] += 1
        point = options[level, at]
        path[level] = point
        for c in range(count):
            for w in range(width):
                cell = parts[level, c, w]
                parts[level + 1, 2 * c, w] = cell & columns[point, w]
                parts[level + 1, 2 * c + 1, w] = cell & ~columns[point, w]
        rest = usable[level] - at - 1
        for i in range(rest):
            options[level + 1, i] = options[level, at + 1 + i]
        usable[level + 1] = rest
        level += 1
        fresh = True
    return 0, none
