"""Tests of ``tacit.planner.persons``."""

import numpy as np
import pytest

from tacit import Ledger, learn, plan
from tacit.checks.testing import seeded
from tacit.classes import Thresholds
from tacit.core import (
    ALGORITHMS,
    Accuracy,
    Privacy,
    Sample,
    Task,
    leaves,
)
from tacit.domains import Schema
from tacit.estimators import TreeClassifier
from tacit.planner.persons import for_task
from tacit.problems.tables.trees import Trees
from tacit.sources.persons import ArrayPersons

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


@pytest.mark.parametrize("share", [None, 0])
@pytest.mark.parametrize("relation", ["replace-one", "add-remove"])
def test_what_several_labels_of_persons_paid_for_is_said(share, relation):
    """Mistakes of rules from several rows of each person had been counted and said not to be."""
    x, ids = np.arange(300) % 4, np.arange(300) // 3
    y = np.stack([x > 1, x % 2 == 1], axis=1)
    schema = Schema.of([(0, 1, 2, 3)])
    task = Task(
        Trees(schema, depth=1),
        privacy=Privacy(40, 0, relation, unit="id", rows_per_unit=3),
        accuracy=Accuracy("0.2", "0.1"),
        setting="agnostic",
        k=2,
        rows="independent",
        error_share=share,
    )
    persons = ArrayPersons(Sample(x[:, None], y, True), ids=ids, domain=schema)
    certificate = learn(task, persons, ledger=Ledger.memory(epsilon=40)).certified
    assert certificate.several is None
    paid = len(leaves(certificate.event)) > 1
    assert paid is (share is None and relation == "replace-one")
    assert ("Mistakes were counted" in certificate.to_markdown()) is paid
    assert ("No part of the budget was set aside" in certificate.to_markdown()) is not paid
