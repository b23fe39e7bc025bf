"""Tests of ``tacit.reproduce.papers.least_records_tiny``."""

import pytest

from tacit.planner import plan
from tacit.reproduce.papers.least_records_tiny import least_possible, task_of

pytestmark = pytest.mark.exact


@pytest.mark.parametrize(
    ("name", "found"), [("thresholds, 2 values, delta", 4), ("points, 3 values, labels private", 4)]
)
def test_no_lower_bound_is_above_the_optimum_and_no_plan_below(name, found):
    task = task_of(name)
    asked = plan(task)
    assert least_possible(task, most=asked.best.n) == found
    assert asked.lower_bounds[0].n <= found <= asked.best.n
    assert least_possible(task, most=2) == 3
