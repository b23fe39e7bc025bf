"""Tests of ``tacit.problems.marginals.pair_tree``."""

from fractions import Fraction

import numpy as np
import pytest
from tests.problems.marginals.marginals_privacy_cases import METHODS, pairs, renyi

from tacit.checks.testing import seeded
from tacit.core import ADD_REMOVE, REPLACE_ONE
from tacit.domains import Schema
from tacit.problems.marginals import pair_tree
from tacit.problems.marginals.budget import Budget
from tacit.problems.marginals.method import fitting
from tacit.problems.marginals.pair_tree import PairTree
from tacit.queries import Marginals
from tacit.tallies.parts import counts_of_cells

pytestmark = pytest.mark.exact


@pytest.mark.parametrize("relation", [REPLACE_ONE, ADD_REMOVE])
@pytest.mark.parametrize("method", METHODS, ids=lambda one: one.name)
def test_the_divergences_of_all_steps_add_up_to_at_most_rho(method, relation):
    for order in (1.5, 4.0):
        worst = max(
            sum(renyi(a, b, order) for a, b in zip(here, there, strict=True))
            for here, there in pairs(method, relation, concentrated=True, runs=4)
        )
        assert 0.05 * order < worst <= 2 * order + 1e-6


def test_a_tree_beside_impossible_cells_joins_no_more_than_a_law_has_room_for(monkeypatch):
    schema = Schema.of({f"c{k}": list(range(8)) for k in range(7)})
    ring = [{f"c{k}": 0, f"c{(k + 2) % 7}": 1} for k in range(7)]
    queries = Marginals(schema, ways=2, impossible=ring)
    cells = np.random.default_rng(0).integers(1, 9, (300, 1)).repeat(7, axis=1).astype(np.int32)
    budget = Budget(amount=Fraction(50), concentrated=False, relation=REPLACE_ONE)
    counts = counts_of_cells(cells, schema, PairTree().parts(queries))
    most = fitting(queries, iterations=1).order(()).size + 600
    sizes = []
    for limit in (most, 1 << 19):
        monkeypatch.setattr(pair_tree, "MOST_CELLS", limit)
        made = PairTree().fitted(counts, queries, budget, n=300, rng=seeded(1))
        sizes.append(made.law.order.size)
        dealt = made.dealt(300)
        for columns, zero in queries.zeros:
            assert not zero[tuple(dealt[:, list(columns)].T)].any()
    assert sizes[0] <= most < sizes[1]
