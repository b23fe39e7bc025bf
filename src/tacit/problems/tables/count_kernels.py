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
def count_pairs(cells: Values, starts: Values, labels: Values, size: int) -> Values:
    """``counts[cell, other cell, label]`` over all rows, by one scan.

    Rows are taken a block at a time, so that a block's columns and one pair's counts stay
    in the cache while the pairs are gone through.
    """
    columns, rows = cells.shape
    counts = np.zeros((size, 2 * size), np.int64)
    block = 1 << 12
    here = np.empty((columns, block), np.int64)
    tagged = np.empty((columns, block), np.int64)
    for first in range(0, rows, block):
        many = min(block, rows - first)
        for column in range(columns):
            for row in range(many):
                cell = starts[column] + cells[column, first + row]
                here[column, row] = cell
                tagged[column, row] = 2 * cell + labels[first + row]
        for one in range(columns):
            for other in range(one, columns):
                for row in range(many):
                    counts[here[one, row], tagged[other, row]] += 1
    counts = counts.reshape((size, size, 2))
    for one in range(size):
        for other in range(one):
            counts[one, other, 0] = counts[other, one, 0]
            counts[one, other, 1] = counts[other, one, 1]
    return counts


@compiled()
def weigh_pairs(
    cells: Values, starts: Values, labels: Values, weights: Values, size: int
) -> Values:
    """As ``count_pairs``, each row counted by its weight, a whole number."""
    columns, rows = cells.shape
    counts = np.zeros((size, 2 * size), np.int64)
    block = 1 << 12
    here = np.empty((columns, block), np.int64)
    tagged = np.empty((columns, block), np.int64)
    for first in range(0, rows, block):
        many = min(block, rows - first)
        for column in range(columns):
            for row in range(many):
                cell = starts[column] + cells[column, first + row]
                here[column, row] = cell
                tagged[column, row] = 2 * cell + labels[first + row]
        for one in range(columns):
            for other in range(one, columns):
                for row in range(many):
                    counts[here[one, row], tagged[other, row]] += weights[first + row]
    counts = counts.reshape((size, size, 2))
    for one in range(size):
        for other in range(one):
            counts[one, other, 0] = counts[other, one, 0]
            counts[one, other, 1] = counts[other, one, 1]
    return counts
