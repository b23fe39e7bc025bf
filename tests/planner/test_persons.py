"""Tests of ``tacit.planner.persons``."""

import numpy as np
import pytest

from tacit import Ledger, plan
from tacit.checks.testing import seeded
from tacit.classes import Thresholds
from tacit.core import (
    ALGORITHMS,
    Accuracy,
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
def test_costs_are_served_for_persons(costs, share):
    x, y = np.linspace(0, 1, 200)[:, None], np.arange(200) % 2
    book = Ledger.memory(epsilon=10)
    model = TreeClassifier(
        domain=[(0, 1)], depth=1, costs=costs, error_share=share, ledger=book, rng=seeded("p")
    )
    certificate = model.fit(x, y, groups=np.arange(200) // 2).certificate_
    assert (certificate.algorithm, certificate.n) == ("costs", 100)
    assert book.entries[0].cost.relation is certificate.event.relation
    assert (certificate.measured is None) is (share == 0)


def test_a_task_with_costs_is_planned_for_persons_as_for_records():
    task = TreeClassifier(domain=[(0, 1)], depth=1, costs={1: 20}).task()
    persons = task.with_(unit="id")
    assert for_task(ALGORITHMS["costs"], persons).why_not(persons) is None
    assert plan(persons).runnable.n == plan(task).runnable.n
    several = persons.with_(rows_per_unit=3, rows="independent")
    few = for_task(ALGORITHMS["costs"], several).bound(several)
    assert few.n <= plan(task).runnable.n
    balanced = several.with_(costs="balanced")
    assert for_task(ALGORITHMS["costs"], balanced).bound(balanced).choices["rows"] == 1
