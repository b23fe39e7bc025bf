"""Tests of ``tacit.problems.thresholds.agnostic_thresholds``."""

import pytest
from tests.bounds.upper.deviations_cases import LAWS, _failures

pytestmark = pytest.mark.exact


@pytest.mark.parametrize("name", LAWS)
def test_simulated_failure_at_the_planned_number(name):
    assert _failures(2309, 100, LAWS[name]) <= 5 + 7
