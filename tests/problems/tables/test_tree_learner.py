"""Tests of ``tacit.problems.tables.tree_learner``."""

import json
from fractions import Fraction

import pytest
from tests.problems.tables.table_costs_cases import COSTS, RECORDS, SCHEMA, cost, everything, sample

from tacit.checks.audit import law
from tacit.checks.testing import exact_epsilon, neighbours
from tacit.core import Relation
from tacit.exact.balls import at, ball
from tacit.mechanisms.calibration import cost_spread, spread
from tacit.problems.tables.tree_learner import TreeLearner
from tacit.problems.tables.trees import RuleLists, Trees

pytestmark = pytest.mark.exact


def weights(made, records, costs=COSTS):
    """Every tree's weight, rule by rule."""
    found = {}
    for tree in everything(made.trees, made.trees.depth):
        rule = made.trees.hypothesis(tree)
        here = ball(made.trees.prior(tree)) * (-ball(made.rate) * cost(rule, records, costs)).exp()
        found[rule] = found.get(rule, ball(0)) + here
    return found


@pytest.mark.parametrize("kind", [Trees, RuleLists])
def test_the_law_weighs_a_mistake_by_its_cost(kind):
    made = TreeLearner(trees=kind(SCHEMA, depth=1), epsilon=Fraction(3), costs=COSTS)
    with at(128):
        for records in ([RECORDS[1], RECORDS[2], RECORDS[2]], [RECORDS[0]] * 2, []):
            wanted = weights(made, records)
            total = sum(wanted.values(), ball(0))
            found = law(made, sample(records))
            masses = {}
            for key, mass in found.masses.items():
                rule = json.dumps(found.values.get(key, key).to_dict())
                masses[rule] = masses.get(rule, 0.0) + float(mass)
            assert len(wanted) == 6
            for rule, weight in wanted.items():
                assert abs(masses[json.dumps(rule.to_dict())] - float(weight / total)) < 1e-9


@pytest.mark.parametrize("relation", Relation)
def test_privacy_is_exactly_epsilon_at_most(relation):
    made = TreeLearner(
        trees=Trees(SCHEMA, depth=1), epsilon=Fraction(1), relation=relation, costs=COSTS
    )
    with at(256):
        worst = ball(0)
        for left, right in neighbours(RECORDS, 3, relation):
            laws = []
            for records in (left, right):
                found = weights(made, records)
                total = sum(found.values(), ball(0))
                laws.append({rule: weight / total for rule, weight in found.items()})
            worst = worst.max(exact_epsilon(*laws))
        assert worst < 1 + ball(Fraction(1, 1 << 200))
        assert worst > ball(Fraction(1, 5))
        # At the rate for mistakes of one cost the same draw would not be private.
        careless = TreeLearner(
            trees=Trees(SCHEMA, depth=1),
            epsilon=Fraction(cost_spread(relation, COSTS), spread(relation)),
            relation=relation,
            costs=COSTS,
        )
        assert careless.rate == TreeLearner(trees=careless.trees, epsilon=1, relation=relation).rate
        broken = ball(0)
        for left, right in neighbours(RECORDS, 3, relation):
            laws = []
            for records in (left, right):
                found = weights(careless, records)
                total = sum(found.values(), ball(0))
                laws.append({rule: weight / total for rule, weight in found.items()})
            broken = broken.max(exact_epsilon(*laws))
        assert broken > 1
