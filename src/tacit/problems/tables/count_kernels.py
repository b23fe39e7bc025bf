"""Compiled counts of the cells of every column, and of every pair of columns."""

from __future__ import annotations

import numpy as np

from tacit.exact.arrays import Values
from tacit.exact.compiled import compiled


@compiled()
def count_cells(cells: Values, starts: Values, labels: Values, size: int) -> Values:
    """``counts[cell, label]`` over all rows; ``cells[column, row]``."""
    counts = np.zeros((size, 2), np.int64)
    for column in range(cells.shape[0]):
        start = starts[column]
        for row in range(cells.shape[1]):
            counts[start + cells[column, row], labels[row]] += 1
    return counts


@compiled()
def _parts(
    cells: Values, starts: Values, labels: Values, size: int, here: Values, tagged: Values
) -> None:
    """The parts of a count's place: of the one cell, and of the other with the row's label."""
    for column in range(cells.shape[0]):
        for row in range(cells.shape[1]):
            cell = starts[column] + cells[column, row]
            here[column, row] = 2 * size * cell
            tagged[column, row] = 2 * cell + labels[row]


@compiled()
def mirrored(flat: Values, size: int) -> Values:
    """The counts by pair of cells and label, those of a pair of columns for both orders."""
    counts = flat.reshape((size, size, 2))
    for one in range(size):
        for other in range(one):
            counts[one, other, 0] = counts[other, one, 0]
            counts[one, other, 1] = counts[other, one, 1]
    return counts


@compiled()
def add_pairs(
    start: int, step: int, cells: Values, starts: Values, labels: Values, size: int, counts: Values
) -> None:
    """Add all rows to the counts of the pairs whose first column is ``start`` or steps on.

    Rows are taken a block at a time, so that a block's columns and one pair's counts stay
    in the cache while the pairs are gone through. A count's place in the flat array is a part
    for the one cell plus a part for the other and the label; 2**32 places would fill any memory.
    """
    columns, rows = cells.shape
    block = 1 << 10
    here = np.empty((columns, block), np.uint32)
    tagged = np.empty((columns, block), np.uint32)
    for first in range(0, rows, block):
        many = min(block, rows - first)
        last = first + many
        _parts(cells[:, first:last], starts, labels[first:last], size, here, tagged)
        for one in range(start, columns, step):
            low = here[one]
            for other in range(one, columns):
                high = tagged[other]
                for row in range(many):
                    counts[np.uint64(low[row]) + np.uint64(high[row])] += 1


@compiled()
def add_tables(cells: Values, labels: Values, widths: Values, counts: Values) -> None:
    """Add all rows to one small table for every pair of columns, one table after another.

    Pairs are ordered by their first column, then by their second; a table has a place for each
    cell of the one, cell of the other and label. Small words and a block of rows stay in the
    cache, and two tables are filled in one loop: neither waits for the other.
    """
    columns, rows = cells.shape
    block = 1 << 13
    tagged = np.empty((columns, block), np.uint32)
    one_more = np.uint32(1)
    for first in range(0, rows, block):
        many = min(block, rows - first)
        for column in range(columns):
            for row in range(many):
                cell = np.uint32(cells[column, first + row])
                tagged[column, row] = (cell << one_more) | np.uint32(labels[first + row])
        start = 0
        for one in range(columns):
            mine = cells[one, first : first + many]
            other = one + 1
            while other < columns:
                wide = 2 * widths[other]
                stop = start + widths[one] * wide
                left, step, high = counts[start:stop], np.uint32(wide), tagged[other]
                if other + 1 == columns:
                    for row in range(many):
                        left[np.uint64(np.uint32(mine[row]) * step + high[row])] += one_more
                    start, other = stop, other + 1
                    continue
                wide = 2 * widths[other + 1]
                start, stop = stop, stop + widths[one] * wide
                right, stride, higher = counts[start:stop], np.uint32(wide), tagged[other + 1]
                for row in range(many):
                    cell = np.uint32(mine[row])
                    left[np.uint64(cell * step + high[row])] += one_more
                    right[np.uint64(cell * stride + higher[row])] += one_more
                start, other = stop, other + 2


@compiled()
def add_weighed_pairs(
    start: int,
    step: int,
    cells: Values,
    starts: Values,
    labels: Values,
    weights: Values,
    size: int,
    counts: Values,
) -> None:
    """As ``add_pairs``, each row counted by its weight, a whole number."""
    columns, rows = cells.shape
    block = 1 << 10
    here = np.empty((columns, block), np.uint32)
    tagged = np.empty((columns, block), np.uint32)
    for first in range(0, rows, block):
        many = min(block, rows - first)
        last = first + many
        _parts(cells[:, first:last], starts, labels[first:last], size, here, tagged)
        for one in range(start, columns, step):
            low = here[one]
            for other in range(one, columns):
                high = tagged[other]
                for row in range(many):
                    counts[np.uint64(low[row]) + np.uint64(high[row])] += weights[first + row]


@compiled()
def count_pairs(cells: Values, starts: Values, labels: Values, size: int) -> Values:
    """``counts[cell, other cell, label]`` over all rows, by one scan."""
    counts = np.zeros(2 * size * size, np.int64)
    add_pairs(0, 1, cells, starts, labels, size, counts)
    return mirrored(counts, size)
