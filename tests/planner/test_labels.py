"""Tests of ``tacit.planner.labels``."""

from fractions import Fraction

import pytest
from tests.complete import complete

from tacit.core import Accuracy, BadInput, Privacy, Task
from tacit.planner import plan
from tacit.planner.labels import labels_together
from tacit.problems.tables.either_rules import EITHER_TREES
from tacit.problems.tables.fitting_trees import FittingTrees
from tacit.problems.tables.grown_trees import GrownTrees
from tacit.problems.tables.shared_trees import EitherTrees, SharedTrees
from tacit.problems.tables.trees import RuleLists, Stumps, Trees

SCHEMA = complete([(0, 1)] * 20, bins=8)
MANY = 100


def task(family=None, *, k=MANY, delta=Fraction(1, 10**6), **more):
    return Task(
        Trees(SCHEMA, depth=2) if family is None else family,
        privacy=Privacy(1, delta),
        accuracy=Accuracy("0.1", "0.05"),
        setting="agnostic",
        k=k,
        **more,
    )


def test_the_choice_is_planned_where_it_needs_fewer_records_than_own_questions():
    """Both numbers are records to come within alpha of the best shared questions."""
    many = labels_together(task(), shared=None)
    assert many.concept_class == EitherTrees(SCHEMA, depth=2)
    assert plan(many).runnable.name == EITHER_TREES.name
    assert plan(many).runnable.n < plan(task()).runnable.n
    few = task(k=3)
    assert labels_together(few, shared=None) is few
    either = few.with_(concept_class=EitherTrees(SCHEMA, depth=2))
    assert EITHER_TREES.bound(either).n >= plan(few).runnable.n


def test_who_says_what_is_wanted_gets_it():
    assert labels_together(task(), shared=True).concept_class == SharedTrees(SCHEMA, depth=2)
    assert labels_together(task(), shared=False) == task()
    with pytest.raises(BadInput, match="only trees share"):
        labels_together(task(RuleLists(SCHEMA, depth=2)), shared=True)
    for deep in (Trees(SCHEMA, depth=3), GrownTrees(SCHEMA, depth=4)):
        with pytest.raises(BadInput, match="at most 2 levels"):
            labels_together(task(deep), shared=True)


@pytest.mark.parametrize(
    "other",
    [
        task(Trees(SCHEMA, depth=3)),
        task(Trees(SCHEMA, depth=2, leaf=Fraction(1, 3))),
        task(FittingTrees(SCHEMA)),
        task(RuleLists(SCHEMA, depth=2)),
        task(Stumps(SCHEMA)),
        task(delta=0),
        task(costs={"1": 5}),
        task(label_costs=[(1, 2)] * MANY),
        task(k=1),
    ],
    ids=lambda one: f"{one.concept_class.name}, k = {one.k}",
)
def test_what_has_no_shared_form_stays_as_it_is(other):
    assert labels_together(other, shared=None) is other
