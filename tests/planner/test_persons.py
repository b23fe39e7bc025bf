"""Tests of ``tacit.planner.persons``."""

import numpy as np
import pytest

from tacit import Ledger, plan
from tacit.checks.testing import seeded
from tacit.classes import Thresholds
from tacit.core import (
    ALGORITHMS,
    Accuracy,
    BadInput,
    Privacy,
    Task,
)
from tacit.estimators import TreeClassifier
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


@pytest.mark.parametrize("share", ["auto", 0])
@pytest.mark.parametrize("costs", [{1: 20}, "balanced"], ids=str)
def test_costs_are_refused_for_persons_before_the_charge(costs, share):
    x, y = np.linspace(0, 1, 200)[:, None], np.arange(200) % 2
    book = Ledger.memory(epsilon=10)
    model = TreeClassifier(
        domain=[(0, 1)], depth=1, costs=costs, error_share=share, ledger=book, rng=seeded("p")
    )
    with pytest.raises(BadInput, match="no proof for costs of persons' mistakes"):
        model.fit(x, y, groups=np.arange(200) // 2)
    assert not book.entries
    assert model.fit(x, y).certificate_.algorithm == "costs"


def test_a_task_with_costs_is_planned_for_records_and_not_for_persons():
    task = TreeClassifier(domain=[(0, 1)], depth=1, costs={1: 20}).task()
    assert for_task(ALGORITHMS["costs"], task).why_not(task) is None
    persons = task.with_(unit="id")
    told = for_task(ALGORITHMS["costs"], persons).why_not(persons)
    assert told == "has no proof for costs of persons' mistakes: costs are for records"
    assert plan(persons).runnable is None
