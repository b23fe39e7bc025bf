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
