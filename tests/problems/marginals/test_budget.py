"""Tests of ``tacit.problems.marginals.budget``."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from tests.complete import complete
from tests.problems.tables.table_boosted_cases import budget, by_hand

from tacit.checks.audit import law
from tacit.checks.testing import seeded
from tacit.core import Relation, Sample
from tacit.mechanisms.calibration import spread
from tacit.problems.marginals.budget import Budget
from tacit.problems.tables.boosted_learner import (
    BoostedLearner,
)
from tacit.problems.tables.boosted_rules import BoostedTrees

pytestmark = pytest.mark.exact


@pytest.mark.parametrize("ones", [0, 1, 2])
def test_the_law_of_one_round_is_the_stated_one(ones):
    schema = complete([range(1)])
    made = BoostedLearner(
        family=BoostedTrees(schema, rounds=1),
        rounds=1,
        budget=budget(64),
        spent=Fraction(64),
        steps=4,
        sizes=Fraction(1, 2),
    )
    labels = np.array([1] * ones + [0] * (2 - ones))
    found = law(made, Sample(np.zeros((2, 1), dtype=object), labels), faint=Fraction(1, 1 << 26))
    masses = {}
    for key, mass in found.masses.items():
        rule = found.values.get(key, key)
        name = (rule.start, rule.trees[0], rule.threshold)
        masses[name] = masses.get(name, 0.0) + float(mass)
    said = by_hand(made, ones, 2)
    assert len(masses) >= 4
    for rule, mass in masses.items():
        assert abs(mass - said[rule]) < 1e-4


@pytest.mark.parametrize("amount", ["1000", "1e5", "1e30", "1e400"])
@pytest.mark.parametrize("relation", list(Relation))
def test_noise_too_small_for_a_float_still_has_a_variance_to_divide_by(amount, relation):
    large = Budget(amount=Fraction(amount), concentrated=False, relation=relation)
    assert large.variance > 0
    assert large.misfit > 0
    assert large.variance / large.variance == 1


class _Rate:
    """Keeps the rate of a selection and draws the first level."""

    def level(self, levels, *, rate):
        self.rate = rate
        return 0

    def below(self, bound):
        return 0


@pytest.mark.parametrize("concentrated", [False, True])
@pytest.mark.parametrize("relation", list(Relation))
def test_a_weighed_selection_costs_its_budget_and_would_not_with_weights_left_out(
    relation, concentrated
):
    """Over all gains of neighbours: bounded range, tight for the weights that count most."""
    given = Budget(amount=Fraction(1, 2), concentrated=concentrated, relation=relation)
    moved, weights = spread(relation), np.array([1024, 1024, 113])
    coins = _Rate()
    given.chosen(np.array([3, 5, 9]), coins, weights=weights)
    losses = []
    here = np.array([3, 5, 9])
    for move in product(range(-moved, moved + 1), repeat=3):
        there = here + np.array(move)
        apart = float(coins.rate) * weights * (here - there)
        losses.append(apart.max() - apart.min())
    bounded = float(given.bounded)
    assert len(losses) > 20
    assert 0.99 * bounded < max(losses) <= bounded
    given.chosen(np.array([3, 5, 9]), coins)
    assert float(coins.rate) * 1024 * moved * 2 > bounded * 100  # what it would be unweighed


def test_gains_that_are_too_large_to_be_weighed_are_limited():
    given = Budget(amount=Fraction(1), concentrated=False, relation=Relation.ADD_REMOVE)
    gains = np.array([-(1 << 60), 1 << 60, 0])
    weights = np.array([1024, 1024, 1])
    assert {given.chosen(gains, seeded(k), weights=weights) for k in range(20)} == {1}
