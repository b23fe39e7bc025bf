"""Tests of ``tacit.planner.persons``."""

import pytest

from tacit.classes import Thresholds
from tacit.core import (
    ALGORITHMS,
    Accuracy,
    Privacy,
    Task,
)
from tacit.planner.persons import for_task

pytestmark = pytest.mark.exact


def test_a_plan_takes_what_needs_fewest_persons():
    task = Task(
        Thresholds(size=10**6),
        privacy=Privacy(1, unit="id", rows_per_unit=10),
        accuracy=Accuracy("0.1", "0.05"),
        rows="independent",
    )
    options = {
        name: for_task(ALGORITHMS[name], task).bound(task)
        for name in ("exponential", "wrong-persons")
    }
    assert options["exponential"].n == 344
    assert options["exponential"].choices["rows"] == 10
    assert options["wrong-persons"].n == 57
    alike = task.with_(rows="any")
    found = for_task(ALGORITHMS["exponential"], alike).bound(alike)
    assert (found.n, found.choices["rows"]) == (419, 1)
    assert ALGORITHMS["wrong-persons"].bound(alike).n == 419
