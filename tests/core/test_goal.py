"""Tests of ``tacit.core.goal``: the rows and errors of a synthetic table are part of its task."""

from fractions import Fraction

import pytest

from tacit import Accuracy, Ledger, Privacy, Task, sanitize
from tacit.classes import Thresholds
from tacit.core import ALGORITHMS, BadInput, SampleBound, Size
from tacit.core.goal import USUAL, TableGoal
from tacit.domains.schema import Schema
from tacit.problems.marginals.algorithms import METHODS
from tacit.queries import Marginals
from tacit.testing import seeded

TABLE = Marginals(Schema.of([bool, bool]).declared_complete(), ways=2)
ROWS = [(True, False)] * 20 + [(False, False)] * 20


def task(**more):
    privacy, accuracy = Privacy(4), Accuracy("0.1", "0.1")
    return Task(TABLE, privacy=privacy, accuracy=accuracy, goal="sanitize", **more)


@pytest.mark.parametrize("name", sorted(METHODS))
def test_one_way_of_building_for_every_algorithm(name):
    entry = ALGORITHMS[name]
    planned = SampleBound(n=40, claim=entry.claim)
    usual = entry.build(task(), planned, Size(40))
    assert (usual.rows, usual.each) == (None, 0)
    goal = TableGoal(rows=7, each=Fraction(1, 20))
    wanted = entry.build(task(table=goal), planned, Size(40))
    assert (wanted.rows, wanted.each) == (7, Fraction(1, 20))
    assert wanted.event() == usual.event(), "errors are paid for out of the same budget"


def test_a_release_is_what_the_task_says():
    given = {"privacy": Privacy(4), "ledger": Ledger.memory(), "algorithm": "independent-columns"}
    release = sanitize(ROWS, TABLE, rows=7, errors=True, rng=seeded("goal"), **given)
    assert len(release.value) == 7
    assert release.certificate.recipe["rows"] == 7
    assert release.certificate.recipe["each"] == "0.05"
    entry = ALGORITHMS["independent-columns"]
    goal = TableGoal(rows=7, each=Fraction(1, 20))
    mechanism = entry.build(task(table=goal), SampleBound(n=40, claim=entry.claim), Size(40))
    assert release.event == mechanism.event()


@pytest.mark.parametrize("wrong", [{"rows": 0}, {"rows": 1.5}, {"each": 2}, {"each": -1}])
def test_what_no_table_can_have_is_refused(wrong):
    with pytest.raises(BadInput):
        TableGoal(**wrong)


def test_a_goal_that_would_be_ignored_is_refused():
    words = {"privacy": Privacy(1), "accuracy": Accuracy("0.1", "0.1")}
    assert Task(Thresholds(size=9), **words).table == USUAL
    with pytest.raises(BadInput, match="synthetic table"):
        Task(Thresholds(size=9), table=TableGoal(rows=3), **words)
    with pytest.raises(BadInput, match="rows and errors are for tables"):
        sanitize([1, 2], Thresholds(size=9), privacy=Privacy(1), rows=3)
    changed = task(table=TableGoal(rows=3)).with_(epsilon=2)
    assert changed.table.rows == 3
