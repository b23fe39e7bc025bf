"""Tests of ``tacit.problems.marginals.pair_tree``."""

import pytest
from tests.problems.marginals.marginals_privacy_cases import METHODS, pairs, renyi

from tacit.core import ADD_REMOVE, REPLACE_ONE

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
