"""Compiled counting and weighing for trees with several labels a leaf.

As ``tree_kernels``, with ``counts[..., label]`` for any number of labels; proved in
``valued_weights.proof.md``. A weight ``exp(-rate * m) * z`` is kept as ``(m, z)``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tacit.exact.arrays import Values
from tacit.exact.compiled import compiled
from tacit.problems.tables.tree_kernels import plus, repeat_cut


@compiled()
def count_cells(cells: Values, starts: Values, labels: Values, size: int, values: int) -> Values:
    """``counts[cell, label]`` over all rows; ``cells[column, row]``."""
    counts = np.zeros((size, values), np.int64)
    for column in range(cells.shape[0]):
        for row in range(cells.shape[1]):
            counts[starts[column] + cells[column, row], labels[row]] += 1
    return counts


@compiled()
def count_pairs(cells: Values, starts: Values, labels: Values, size: int, values: int) -> Values:
    """``counts[cell, other cell, label]`` over all rows."""
    columns, rows = cells.shape
    counts = np.zeros((size, size, values), np.int64)
    for one in range(columns):
        for other in range(one, columns):
            for row in range(rows):
                here = starts[one] + cells[one, row]
                counts[here, starts[other] + cells[other, row], labels[row]] += 1
    mirror(counts)
    return counts


@compiled()
def mirror(counts: Values) -> None:
    """Copy the pairs of an earlier and a later column across."""
    size, _, values = counts.shape
    for one in range(size):
        for other in range(one):
            for label in range(values):
                counts[one, other, label] = counts[other, one, label]


@compiled()
def leaf(each: Values, decay: Values) -> Any:
    """All labels of a leaf, equally likely beforehand."""
    total = 0
    most = each[0]
    for label in range(len(each)):
        total += each[label]
        most = max(most, each[label])
    z = 0.0
    for label in range(len(each)):
        gap = most - each[label]
        if gap < len(decay):
            z += decay[gap]
    return total - most, z / len(each)


@compiled()
def stump_cells(
    counts: Values,
    column: Values,
    cell: Values,
    ordered: Values,
    share: Values,
    whole: Values,
    decay: Values,
    m: Values,
    z: Values,
) -> None:
    """The weight of every cut whose two sides are leaves."""
    values = len(whole)
    low = np.zeros(values, np.int64)
    high = np.empty(values, np.int64)
    last = -1
    for cut in range(len(cell)):
        if column[cut] != last or not ordered[cut]:
            last = column[cut]
            low[:] = 0
        for label in range(values):
            low[label] += counts[cell[cut], label]
            high[label] = whole[label] - low[label]
        a, x = leaf(low, decay)
        b, y = leaf(high, decay)
        m[cut] = a + b
        z[cut] = share[cut] * (x * y)


@compiled()
def node_sum(
    m: Values, z: Values, cuts: int, each: Values, leaf_share: float, decay: Values
) -> Any:
    """A node's whole weight: its leaves and its cuts."""
    total_m, total_z = leaf(each, decay)
    total_z *= leaf_share
    for cut in range(cuts):
        total_m, total_z = plus(total_m, total_z, m[cut], z[cut], decay)
    return total_m, total_z


@compiled()
def write_cut(
    ways: int,
    cut: int,
    share: float,
    low: Values,
    high: Values,
    sums: Any,
    decay: Values,
    m: Values,
    z: Values,
) -> None:
    """A cut's weight from its sides' whole weights; with two ``ways``, one side is a leaf."""
    a, x, b, y = sums
    if ways == 1:
        m[cut] = a + b
        z[cut] = share * (x * y)
        return
    c, u = leaf(low, decay)
    d, v = leaf(high, decay)
    m[2 * cut] = c + b
    z[2 * cut] = share * (0.5 * u * y)
    m[2 * cut + 1] = a + d
    z[2 * cut + 1] = share * (0.5 * x * v)


@compiled()
def pair_cells(
    pairs: Values,
    column: Values,
    cell: Values,
    ordered: Values,
    share: Values,
    whole: Values,
    leaf_share: float,
    ways: int,
    decay: Values,
    m: Values,
    z: Values,
) -> None:
    """The weight of every cut whose two sides are trees of at most one level."""
    size, _, values = pairs.shape
    cuts = len(cell)
    low = np.zeros((size, values), np.int64)
    high = np.zeros((size, values), np.int64)
    sub_m = np.empty(cuts, np.int64)
    sub_z = np.empty(cuts, np.float64)
    low_all = np.zeros(values, np.int64)
    high_all = np.empty(values, np.int64)
    last = -1
    for cut in range(cuts):
        here = cell[cut]
        fresh = column[cut] != last
        last = column[cut]
        moved = 0
        for label in range(values):
            moved += pairs[here, here, label]
        if ordered[cut] and moved == 0 and not fresh:
            # No record changes sides: the same two trees stand on both.
            repeat_cut(ways, cut, m, z)
            continue
        if fresh or not ordered[cut]:
            low[:] = 0
            low_all[:] = 0
        for label in range(values):
            low_all[label] += pairs[here, here, label]
            high_all[label] = whole[label] - low_all[label]
        for one in range(size):
            for label in range(values):
                low[one, label] += pairs[here, one, label]
                high[one, label] = pairs[one, one, label] - low[one, label]
        stump_cells(low, column, cell, ordered, share, low_all, decay, sub_m, sub_z)
        a, x = node_sum(sub_m, sub_z, cuts, low_all, leaf_share, decay)
        stump_cells(high, column, cell, ordered, share, high_all, decay, sub_m, sub_z)
        b, y = node_sum(sub_m, sub_z, cuts, high_all, leaf_share, decay)
        write_cut(ways, cut, share[cut], low_all, high_all, (a, x, b, y), decay, m, z)


@compiled()
def row_cells(
    cells: Values,
    labels: Values,
    costs: Values,
    starts: Values,
    column: Values,
    cell: Values,
    ordered: Values,
    share: Values,
    pairs: Values,
    whole: Values,
    leaf_share: float,
    ways: int,
    decay: Values,
    m: Values,
    z: Values,
) -> None:
    """The weight of every cut whose two sides are trees of at most two levels."""
    cuts, columns, values = len(cell), cells.shape[0], len(whole)
    low = np.zeros_like(pairs)
    parts = ways * cuts
    sub_m = np.empty(parts, np.int64)
    sub_z = np.empty(parts, np.float64)
    low_all = np.zeros(values, np.int64)
    last = -1
    for cut in range(cuts):
        fresh = column[cut] != last
        last = column[cut]
        if fresh or not ordered[cut]:
            low[:] = 0
            low_all[:] = 0
        inside = cell[cut] - starts[column[cut]]
        moved = 0
        for row in range(cells.shape[1]):
            if cells[column[cut], row] != inside:
                continue
            moved += 1
            cost = costs[labels[row]]
            low_all[labels[row]] += cost
            for one in range(columns):
                here = starts[one] + cells[one, row]
                for other in range(one, columns):
                    low[here, starts[other] + cells[other, row], labels[row]] += cost
        if ordered[cut] and moved == 0 and not fresh:
            repeat_cut(ways, cut, m, z)
            continue
        mirror(low)
        high_all = whole - low_all
        pair_cells(
            low, column, cell, ordered, share, low_all, leaf_share, ways, decay, sub_m, sub_z
        )
        a, x = node_sum(sub_m, sub_z, parts, low_all, leaf_share, decay)
        pair_cells(
            pairs - low, column, cell, ordered, share, high_all, leaf_share, ways, decay,
            sub_m, sub_z,
        )  # fmt: skip
        b, y = node_sum(sub_m, sub_z, parts, high_all, leaf_share, decay)
        write_cut(ways, cut, share[cut], low_all, high_all, (a, x, b, y), decay, m, z)
