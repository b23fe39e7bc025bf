"""Compiled weighing for trees with questions about sets of categories.

A weight ``exp(-rate * m) * z`` is kept as ``(m, z)``; proved in ``set_weights.proof.md``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tacit.exact.arrays import Values
from tacit.exact.compiled import compiled
from tacit.problems.tables.valued_kernels import node_sum, stump_cells


@compiled()
def set_cells(
    counts: Values,
    starts: Values,
    cells: Values,
    chances: Values,
    scale: Values,
    decay: Values,
    m: Values,
    z: Values,
) -> None:
    """The weight of all sets of a column together, for every column, chance and pair of labels."""
    values = counts.shape[1]
    at = 0
    for place in range(len(starts)):
        chance = 1.0
        for _ in range(chances[place]):
            chance /= 2
            for inside in range(values):
                for outside in range(values):
                    if inside != outside:
                        least = 0
                        product = scale[place]
                        for cell in range(starts[place], starts[place] + cells[place]):
                            for label in range(values):
                                least += counts[cell, label]
                            gap = counts[cell, inside] - counts[cell, outside]
                            if gap >= 0:
                                least -= counts[cell, inside]
                                far = decay[gap] if gap < len(decay) else 0.0
                                product *= chance + (1 - chance) * far
                            else:
                                least -= counts[cell, outside]
                                far = decay[-gap] if -gap < len(decay) else 0.0
                                product *= chance * far + (1 - chance)
                        m[at] = least
                        z[at] = product
                        at += 1


@compiled()
def last_cells(
    counts: Values, common: Any, sets: Any, each: Values, decay: Values, m: Values, z: Values
) -> None:
    """The weight of every choice below which there are only leaves: cuts, then sets."""
    column, cell, ordered, share = common
    starts, cells, chances, scale = sets
    cuts = len(cell)
    stump_cells(counts, column, cell, ordered, share, each, decay, m[:cuts], z[:cuts])
    set_cells(counts, starts, cells, chances, scale, decay, m[cuts:], z[cuts:])


@compiled()
def pair_cells(
    pairs: Values,
    common: Any,
    sets: Any,
    each: Values,
    leaf_share: float,
    decay: Values,
    m: Values,
    z: Values,
) -> None:
    """The weight of every cut with one more level on both sides, then of every set."""
    column, cell, ordered, share = common
    starts, cells, chances, scale = sets
    size, _, values = pairs.shape
    whole = np.empty((size, values), np.int64)
    for one in range(size):
        for label in range(values):  # numba compiles copies of arrays for seconds
            whole[one, label] = pairs[one, one, label]
    cuts = len(cell)
    low = np.zeros((size, values), np.int64)
    high = np.empty((size, values), np.int64)
    low_each = np.zeros(values, np.int64)
    high_each = np.empty(values, np.int64)
    below_m = np.empty(len(m), np.int64)
    below_z = np.empty(len(z), np.float64)
    last = -1
    for cut in range(cuts):
        if column[cut] != last or not ordered[cut]:
            last = column[cut]
            low[:] = 0
            low_each[:] = 0
        low += pairs[cell[cut]]
        low_each += pairs[cell[cut], cell[cut]]
        for label in range(values):
            high_each[label] = each[label] - low_each[label]
            for one in range(size):
                high[one, label] = whole[one, label] - low[one, label]
        last_cells(low, common, sets, low_each, decay, below_m, below_z)
        a, x = node_sum(below_m, below_z, len(below_m), low_each, leaf_share, decay)
        last_cells(high, common, sets, high_each, decay, below_m, below_z)
        b, y = node_sum(below_m, below_z, len(below_m), high_each, leaf_share, decay)
        m[cut] = a + b
        z[cut] = share[cut] * (x * y)
    set_cells(whole, starts, cells, chances, scale, decay, m[cuts:], z[cuts:])
