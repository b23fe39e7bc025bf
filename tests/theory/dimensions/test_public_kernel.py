"""The best partition, against trying all of them."""

from itertools import product

import numpy as np
import pytest

from tacit.theory.dimensions.public_kernel import best_partition


def plain_best(cost, parts, items):
    best = np.inf
    for labels in product(range(parts), repeat=items):
        sets = [sum(1 << i for i in range(items) if labels[i] == part) for part in range(parts)]
        best = min(best, sum(cost[one] for one in sets))
    return best


@pytest.mark.parametrize("parts", [1, 2, 3])
@pytest.mark.parametrize("seed", range(3))
def test_no_partition_costs_less_and_the_chosen_one_costs_that(parts, seed):
    items = 5
    cost = np.random.default_rng(seed).random(1 << items)
    cost[0] = 0.0
    found, chosen = best_partition(cost, parts)
    assert found == pytest.approx(plain_best(cost, parts, items))
    assert sum(int(part) for part in chosen) == (1 << items) - 1  # disjoint, and everything
    assert sum(cost[part] for part in chosen) == pytest.approx(found)
