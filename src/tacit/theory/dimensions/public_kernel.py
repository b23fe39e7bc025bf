"""The best partition of a set into few parts, compiled."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tacit.exact.compiled import compiled


@compiled()
def best_partition(cost: NDArray[np.float64], parts: int) -> tuple[float, NDArray[np.int64]]:
    """Least total cost of at most ``parts`` disjoint sets that make up everything.

    ``cost[S]`` is the cost of the set with bits ``S``; ``cost[0]`` is 0.
    """
    size = cost.shape[0]
    best = cost.copy()
    choice = np.zeros((parts, size), np.int64)
    for whole in range(size):
        choice[0, whole] = whole
    for level in range(1, parts):
        finer = best.copy()
        for whole in range(size):
            choice[level, whole] = 0
        for whole in range(1, size):
            first = whole & -whole
            rest = whole ^ first
            part = rest
            while True:
                total = cost[part | first] + best[rest ^ part]
                if total < finer[whole]:
                    finer[whole] = total
                    choice[level, whole] = part | first
                if part == 0:
                    break
                part = (part - 1) & rest
        best = finer
    chosen = np.zeros(parts, np.int64)
    left = size - 1
    for level in range(parts - 1, -1, -1):
        part = choice[level, left]  # 0: nothing gained here, one level fewer does as well
        chosen[level] = part
        left ^= part
    return best[size - 1], chosen
