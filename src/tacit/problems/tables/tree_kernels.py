"""Compiled counting and weighing for trees: see ``tacit/problems/tables/tree_weights.proof.md``.

Cells of all columns are numbered through; ``counts[c, label]`` holds how many records of a
label are in cell ``c``, each counted as many times as a mistake on it costs. A weight
``exp(-rate * m) * z`` is kept as ``(m, z)`` with an integer ``m``, so nothing under- or
overflows however many records there are.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tacit.exact.arrays import Values
from tacit.exact.compiled import compiled
from tacit.problems.tables.count_kernels import count_pairs


@compiled(inline="always")
def leaf(zeros: int, ones: int, decay: Values) -> Any:
    """Both labels of a leaf, equally likely beforehand."""
    gap = zeros - ones if zeros > ones else ones - zeros
    least = ones if zeros > ones else zeros
    tail = decay[gap] if gap < len(decay) else 0.0
    return least, 0.5 + 0.5 * tail


@compiled(inline="always")
def plus(m: int, z: float, other_m: int, other_z: float, decay: Values) -> Any:
    """The sum of two weights."""
    gap = other_m - m
    if gap >= 0:
        return m, z + (other_z * decay[gap] if gap < len(decay) else 0.0)
    return other_m, (z * decay[-gap] if -gap < len(decay) else 0.0) + other_z


@compiled()
def stump_cells(
    counts: Values,
    column: Values,
    cell: Values,
    ordered: Values,
    share: Values,
    zeros: int,
    ones: int,
    decay: Values,
    m: Values,
    z: Values,
) -> None:
    """The weight of every cut whose two sides are leaves."""
    low0 = 0
    low1 = 0
    last = -1
    # No record on the low side: the same two leaves for all such cuts.
    none_m, none_z = here_m, here_z = leaf(zeros, ones, decay)
    for cut in range(len(cell)):
        fresh = column[cut] != last
        last = column[cut]
        if fresh or not ordered[cut]:
            low0 = 0
            low1 = 0
            here_m, here_z = none_m, none_z
        moved0 = counts[cell[cut], 0]
        moved1 = counts[cell[cut], 1]
        if moved0 != 0 or moved1 != 0:
            low0 += moved0
            low1 += moved1
            a, x = leaf(low0, low1, decay)
            b, y = leaf(zeros - low0, ones - low1, decay)
            here_m, here_z = a + b, x * y
        m[cut] = here_m
        z[cut] = share[cut] * here_z


@compiled()
def node_sum(
    m: Values, z: Values, cuts: int, zeros: int, ones: int, leaf_share: float, decay: Values
) -> Any:
    """A node's whole weight: its leaves and its cuts."""
    total_m, total_z = leaf(zeros, ones, decay)
    total_z *= leaf_share
    for cut in range(cuts):
        total_m, total_z = plus(total_m, total_z, m[cut], z[cut], decay)
    return total_m, total_z


@compiled()
def write_cut(
    ways: int,
    cut: int,
    share: float,
    low: Any,
    high: Any,
    sums: Any,
    decay: Values,
    m: Values,
    z: Values,
) -> None:
    """A cut's weight from its sides' whole weights; with two ``ways``, one side is a leaf.

    ``low`` and ``high`` are the sides' label counts, ``sums = (a, x, b, y)`` their weights.
    """
    a, x, b, y = sums
    if ways == 1:
        m[cut] = a + b
        z[cut] = share * (x * y)
        return
    c, u = leaf(low[0], low[1], decay)
    d, v = leaf(high[0], high[1], decay)
    m[2 * cut] = c + b
    z[2 * cut] = share * (0.5 * u * y)
    m[2 * cut + 1] = a + d
    z[2 * cut + 1] = share * (0.5 * x * v)


@compiled()
def repeat_cut(ways: int, cut: int, m: Values, z: Values) -> None:
    """Give a cut the weights of the one before it."""
    for part in range(ways):
        m[ways * cut + part] = m[ways * (cut - 1) + part]
        z[ways * cut + part] = z[ways * (cut - 1) + part]


@compiled()
def pair_cells(
    pairs: Values,
    column: Values,
    cell: Values,
    ordered: Values,
    share: Values,
    zeros: int,
    ones: int,
    leaf_share: float,
    ways: int,
    decay: Values,
    m: Values,
    z: Values,
) -> None:
    """The weight of every cut whose two sides are trees of at most one level."""
    size = pairs.shape[0]
    cuts = len(cell)
    low = np.zeros((size, 2), np.int64)
    high = np.zeros((size, 2), np.int64)
    whole = np.zeros((size, 2), np.int64)
    for one in range(size):
        whole[one, 0] = pairs[one, one, 0]
        whole[one, 1] = pairs[one, one, 1]
    sub_m = np.empty(cuts, np.int64)
    sub_z = np.empty(cuts, np.float64)
    low0 = 0
    low1 = 0
    last = -1
    for cut in range(cuts):
        here = cell[cut]
        fresh = column[cut] != last
        last = column[cut]
        empty = pairs[here, here, 0] == 0 and pairs[here, here, 1] == 0
        if ordered[cut] and empty and not fresh:
            # No record changes sides: the same two trees stand on both.
            repeat_cut(ways, cut, m, z)
            continue
        if fresh or not ordered[cut]:
            low[:] = 0
            for one in range(size):  # numba compiles `high[:] = whole` for seconds
                high[one, 0], high[one, 1] = whole[one, 0], whole[one, 1]
            low0 = low1 = 0
        low0 += pairs[here, here, 0]
        low1 += pairs[here, here, 1]
        for one in range(size):
            for label in range(2):
                moved = pairs[here, one, label]
                low[one, label] += moved
                high[one, label] -= moved
        stump_cells(low, column, cell, ordered, share, low0, low1, decay, sub_m, sub_z)
        a, x = node_sum(sub_m, sub_z, cuts, low0, low1, leaf_share, decay)
        stump_cells(
            high,
            column,
            cell,
            ordered,
            share,
            zeros - low0,
            ones - low1,
            decay,
            sub_m,
            sub_z,
        )
        b, y = node_sum(sub_m, sub_z, cuts, zeros - low0, ones - low1, leaf_share, decay)
        sides = (low0, low1), (zeros - low0, ones - low1)
        write_cut(ways, cut, share[cut], sides[0], sides[1], (a, x, b, y), decay, m, z)


@compiled()
def add_rows(
    low: Values,
    cells: Values,
    starts: Values,
    labels: Values,
    costs: Values,
    column: int,
    cell: int,
) -> Any:
    """Count the rows in one cell of a column into ``low``; the cost of all of each label.

    A row counts as many times as a mistake on its label costs. Only pairs of an earlier and a
    later column are counted: ``mirror`` gives the others.
    """
    columns, rows = cells.shape
    moved0 = 0
    moved1 = 0
    here = np.empty(columns, np.int64)
    for row in range(rows):
        if cells[column, row] != cell:
            continue
        label = labels[row]
        cost = costs[label]
        if label:
            moved1 += cost
        else:
            moved0 += cost
        for one in range(columns):
            here[one] = starts[one] + cells[one, row]
        for one in range(columns):
            for other in range(one, columns):
                low[here[one], here[other], label] += cost
    return moved0, moved1


@compiled()
def mirror(low: Values, high: Values, whole: Values) -> None:
    """Complete the pair counts of one side, and take them from the whole for the other."""
    size = low.shape[0]
    for one in range(size):
        for other in range(one):
            low[one, other, 0] = low[other, one, 0]
            low[one, other, 1] = low[other, one, 1]
    for one in range(size):
        for other in range(size):
            high[one, other, 0] = whole[one, other, 0] - low[one, other, 0]
            high[one, other, 1] = whole[one, other, 1] - low[one, other, 1]


@compiled(nogil=True)
def row_cells(
    first: int,
    end: int,
    cells: Values,
    labels: Values,
    costs: Values,
    starts: Values,
    column: Values,
    cell: Values,
    ordered: Values,
    share: Values,
    whole: Values,
    zeros: int,
    ones: int,
    leaf_share: float,
    ways: int,
    decay: Values,
    m: Values,
    z: Values,
) -> None:
    """The weight of each cut, of ``first`` up to ``end``, with trees of two levels on its sides.

    ``first`` and ``end`` are where columns begin, so each column can be weighed by itself.
    """
    cuts = len(cell)
    low = np.zeros_like(whole)
    high = np.empty_like(whole)
    parts = ways * cuts
    sub_m = np.empty(parts, np.int64)
    sub_z = np.empty(parts, np.float64)
    low0 = 0
    low1 = 0
    last = -1
    for cut in range(first, end):
        fresh = column[cut] != last
        last = column[cut]
        if fresh or not ordered[cut]:
            low[:] = 0
            low0 = 0
            low1 = 0
        inside = cell[cut] - starts[column[cut]]
        moved0, moved1 = add_rows(low, cells, starts, labels, costs, column[cut], inside)
        if ordered[cut] and moved0 + moved1 == 0 and not fresh:
            repeat_cut(ways, cut, m, z)
            continue
        low0 += moved0
        low1 += moved1
        mirror(low, high, whole)
        pair_cells(
            low,
            column,
            cell,
            ordered,
            share,
            low0,
            low1,
            leaf_share,
            ways,
            decay,
            sub_m,
            sub_z,
        )
        a, x = node_sum(sub_m, sub_z, parts, low0, low1, leaf_share, decay)
        pair_cells(
            high,
            column,
            cell,
            ordered,
            share,
            zeros - low0,
            ones - low1,
            leaf_share,
            ways,
            decay,
            sub_m,
            sub_z,
        )
        b, y = node_sum(sub_m, sub_z, parts, zeros - low0, ones - low1, leaf_share, decay)
        sides = (low0, low1), (zeros - low0, ones - low1)
        write_cut(ways, cut, share[cut], sides[0], sides[1], (a, x, b, y), decay, m, z)


@compiled()
def side_sum(
    cells: Values,
    labels: Values,
    costs: Values,
    starts: Values,
    column: Values,
    cell: Values,
    ordered: Values,
    share: Values,
    size: int,
    leaf_share: float,
    ways: int,
    decay: Values,
    chosen: Values,
) -> Any:
    """The whole weight of the trees of at most three levels on the chosen rows; its leaf."""
    rows = np.nonzero(chosen)[0]
    inside = np.empty((cells.shape[0], len(rows)), cells.dtype)
    for one in range(cells.shape[0]):
        for row in range(len(rows)):
            inside[one, row] = cells[one, rows[row]]
    kept = labels[rows]
    positive = kept.sum()
    zeros = costs[0] * (len(rows) - positive)
    ones = costs[1] * positive
    whole = count_pairs(inside, starts, kept, size) * costs
    m = np.empty(ways * len(cell), np.int64)
    z = np.empty(ways * len(cell), np.float64)
    row_cells(
        0, len(cell), inside, kept, costs, starts, column, cell, ordered, share, whole, zeros, ones,
        leaf_share, ways, decay, m, z,
    )  # fmt: skip
    a, x = node_sum(m, z, len(m), zeros, ones, leaf_share, decay)
    return a, x, zeros, ones


@compiled(nogil=True)
def deep_cells(
    first: int,
    step: int,
    cells: Values,
    labels: Values,
    costs: Values,
    starts: Values,
    column: Values,
    cell: Values,
    ordered: Values,
    share: Values,
    size: int,
    leaf_share: float,
    ways: int,
    decay: Values,
    m: Values,
    z: Values,
) -> None:
    """The weight of every ``step``-th cut whose sides are trees of at most three levels.

    Each cut is weighed by itself, so the threads that share the work do not touch the result.
    """
    for cut in range(first, len(cell), step):
        asked = cells[column[cut]]
        inside = cell[cut] - starts[column[cut]]
        chosen = asked <= inside if ordered[cut] else asked == inside
        a, x, low0, low1 = side_sum(
            cells, labels, costs, starts, column, cell, ordered, share, size,
            leaf_share, ways, decay, chosen,
        )  # fmt: skip
        b, y, high0, high1 = side_sum(
            cells, labels, costs, starts, column, cell, ordered, share, size,
            leaf_share, ways, decay, ~chosen,
        )  # fmt: skip
        low, high = (low0, low1), (high0, high1)
        write_cut(ways, cut, share[cut], low, high, (a, x, b, y), decay, m, z)
