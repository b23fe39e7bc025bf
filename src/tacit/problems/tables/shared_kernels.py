"""Compiled counting and weighing for trees whose questions several labels share.

As ``tree_kernels``; a node has a vector of ``k + 1`` sums: of the marks of each label (1 and -1,
0 where a label is left out), and the number of its records. Proved in ``shared_weights.proof.md``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tacit.exact.arrays import Values
from tacit.exact.compiled import compiled
from tacit.problems.tables.tree_kernels import plus, repeat_cut


@compiled()
def count_cells(cells: Values, starts: Values, marks: Values, size: int) -> Values:
    """``sums[cell, label]`` over all rows; ``cells[column, row]``, ``marks[row, label]``."""
    width = marks.shape[1]
    sums = np.zeros((size, width), np.int64)
    for column in range(cells.shape[0]):
        for row in range(cells.shape[1]):
            here = starts[column] + cells[column, row]
            for label in range(width):
                sums[here, label] += marks[row, label]
    return sums


@compiled()
def count_pairs(cells: Values, starts: Values, marks: Values, size: int) -> Values:
    """``sums[cell, other cell, label]`` over all rows."""
    columns, rows = cells.shape
    width = marks.shape[1]
    sums = np.zeros((size, size, width), np.int64)
    for row in range(rows):
        for one in range(columns):
            here = starts[one] + cells[one, row]
            for other in range(one, columns):
                there = starts[other] + cells[other, row]
                for label in range(width):
                    sums[here, there, label] += marks[row, label]
    for here in range(size):
        for there in range(here):
            for label in range(width):
                sums[here, there, label] = sums[there, here, label]
    return sums


@compiled()
def lost(sums: Values) -> Any:
    """Twice the mistakes of a leaf's best labels, and once each label that is left out."""
    labels = len(sums) - 1
    total = labels * sums[labels]
    for label in range(labels):
        total -= abs(sums[label])
    return total


@compiled()
def stump_cells(
    counts: Values,
    column: Values,
    cell: Values,
    ordered: Values,
    share: Values,
    whole: Values,
    m: Values,
    z: Values,
) -> None:
    """The weight of every cut whose two sides are leaves."""
    width = len(whole)
    low = np.zeros(width, np.int64)
    high = np.empty(width, np.int64)
    last = -1
    for cut in range(len(cell)):
        if column[cut] != last or not ordered[cut]:
            last = column[cut]
            low[:] = 0
        for label in range(width):
            low[label] += counts[cell[cut], label]
            high[label] = whole[label] - low[label]
        m[cut] = lost(low) + lost(high)
        z[cut] = share[cut]


@compiled()
def node_sum(m: Values, z: Values, whole: Values, leaf_share: float, decay: Values) -> Any:
    """A node's whole weight: its leaf and its cuts."""
    total_m = lost(whole)
    total_z = leaf_share
    for cut in range(len(m)):
        total_m, total_z = plus(total_m, total_z, m[cut], z[cut], decay)
    return total_m, total_z


@compiled()
def pair_cells(
    pairs: Values,
    column: Values,
    cell: Values,
    ordered: Values,
    share: Values,
    whole: Values,
    leaf_share: float,
    decay: Values,
    m: Values,
    z: Values,
) -> None:
    """The weight of every cut whose two sides are trees of at most one level."""
    size, _, width = pairs.shape
    cuts = len(cell)
    low = np.zeros((size, width), np.int64)
    high = np.zeros((size, width), np.int64)
    sub_m = np.empty(cuts, np.int64)
    sub_z = np.empty(cuts, np.float64)
    low_all = np.zeros(width, np.int64)
    high_all = np.empty(width, np.int64)
    last = -1
    for cut in range(cuts):
        here = cell[cut]
        fresh = column[cut] != last
        last = column[cut]
        if ordered[cut] and pairs[here, here, width - 1] == 0 and not fresh:
            # No record changes sides: the same two trees stand on both.
            repeat_cut(1, cut, m, z)
            continue
        if fresh or not ordered[cut]:
            low[:] = 0
            low_all[:] = 0
        for label in range(width):
            low_all[label] += pairs[here, here, label]
            high_all[label] = whole[label] - low_all[label]
        for one in range(size):
            for label in range(width):
                low[one, label] += pairs[here, one, label]
                high[one, label] = pairs[one, one, label] - low[one, label]
        stump_cells(low, column, cell, ordered, share, low_all, sub_m, sub_z)
        a, x = node_sum(sub_m, sub_z, low_all, leaf_share, decay)
        stump_cells(high, column, cell, ordered, share, high_all, sub_m, sub_z)
        b, y = node_sum(sub_m, sub_z, high_all, leaf_share, decay)
        m[cut] = a + b
        z[cut] = share[cut] * (x * y)
