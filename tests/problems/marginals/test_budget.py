"""Tests of ``tacit.problems.marginals.budget``."""

from fractions import Fraction

import numpy as np
import pytest
from tests.complete import complete
from tests.problems.tables.table_boosted_cases import budget, by_hand

from tacit.checks.audit import law
from tacit.core import Relation, Sample
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
