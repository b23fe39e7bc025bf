"""Tests of ``tacit.problems.marginals.adaptive``."""

import pytest
from tests.problems.marginals.marginals_privacy_cases import METHODS, log_chance, pairs

from tacit.core import ADD_REMOVE, REPLACE_ONE

pytestmark = pytest.mark.exact


@pytest.mark.parametrize("relation", [REPLACE_ONE, ADD_REMOVE])
@pytest.mark.parametrize("method", METHODS, ids=lambda one: one.name)
def test_no_run_is_more_than_e_to_the_epsilon_likelier_next_door(method, relation):
    worst = max(
        sum(map(log_chance, here)) - sum(map(log_chance, there))
        for here, there in pairs(method, relation, concentrated=False, runs=12)
    )
    assert worst <= 2 + 1e-9
    assert worst > 0.5
