"""Noise that comes in lists is followed: counts that are not paid for are caught."""

from dataclasses import dataclass
from fractions import Fraction

import pytest

from tacit.checks.audit.enumeration import exact
from tacit.core import Pure, Relation
from tacit.core.tiny import labelled
from tacit.domains.schema import Schema
from tacit.problems.tables.checked import CheckedLearner
from tacit.problems.tables.costs import CostLearner
from tacit.problems.tables.rule_counts import Beside
from tacit.problems.tables.tree_learner import TreeLearner
from tacit.problems.tables.trees import Trees

pytestmark = pytest.mark.exact

EPSILON = Fraction(2)
LOUD = Fraction(10**6)
RECORDS = labelled([(False,), (True,)])
REPLACE = Relation.REPLACE_ONE


def draw(relation=REPLACE):
    schema = Schema.of([bool]).declared_complete()
    return TreeLearner(trees=Trees(schema, depth=1), epsilon=EPSILON, relation=relation)


def audited(mechanism):
    return exact(mechanism, RECORDS, 1, order="ignored", faint=Fraction(1, 1 << 16))


@dataclass(frozen=True, slots=True, kw_only=True)
class UnpaidNumbers(CheckedLearner):
    """Counts beside the mistakes that the event does not name."""

    def event(self):
        return Pure(epsilon=2 * EPSILON, relation=REPLACE)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnpaidMistakes(CostLearner):
    """Mistakes of each label that the event does not name."""

    def event(self):
        return Pure(epsilon=2 * EPSILON, relation=REPLACE)


def test_a_number_beside_the_mistakes_that_is_not_paid_for_is_caught():
    beside = (Beside(what="positive", epsilon=LOUD),)
    found = audited(UnpaidNumbers(learner=draw(), epsilon=EPSILON, beside=beside))
    assert found.violated, str(found)


def test_mistakes_of_each_label_that_are_not_paid_for_are_caught():
    found = audited(
        UnpaidMistakes(learner=draw(), costs=(1, 3), sizes_epsilon=EPSILON, n=1, epsilon=LOUD)
    )
    assert found.violated, str(found)


@pytest.mark.parametrize("costs", [(1, 3), None], ids=["costs", "balanced"])
def test_honest_counts_stay_within_their_claim(costs):
    learner = CostLearner(learner=draw(), costs=costs, sizes_epsilon=EPSILON, n=1, epsilon=EPSILON)
    found = audited(learner)
    assert not found.violated, str(found)
    assert found.epsilon[0] > EPSILON / 4
