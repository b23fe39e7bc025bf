"""Tests of ``tacit.checks.audit.enumeration``."""

from fractions import Fraction as F

import pytest
from tests.checks.audit.audit_exact_cases import ONE, OVER, TWO

from tacit.checks.audit import exact
from tacit.core import MECHANISMS
from tacit.problems.points.frequent_item import MostFrequent

pytestmark = pytest.mark.exact


@pytest.mark.parametrize("selector", ["exponential", "permute-and-flip"])
def test_selections_at_one_and_a_quarter_are_caught(selector):
    def audited(epsilon):
        mechanism = MostFrequent(domain=TWO, epsilon=epsilon, selector=selector)
        return exact(mechanism, [0, 1], 7, epsilon=1, delta=0, order="ignored")

    fair, over = audited(ONE), audited(OVER)
    assert not fair.violated
    assert fair.epsilon[0] > F(9, 10)
    assert over.violated
    assert fair.epsilon[0] <= fair.epsilon[1] <= fair.epsilon[0] + F(1, 10**9)


QUICK = ("Geometric", "Exponential", "PermuteAndFlip", "InteriorPoint", "RobustMinimum")


@pytest.mark.parametrize("target", [t for t in MECHANISMS if t.name in QUICK], ids=lambda t: t.name)
def test_the_listed_targets_keep_their_claims(target):
    found = exact(target.make(ONE), target.records, target.n, order=target.order)
    assert not found.violated
    assert found.epsilon[1] < 1 + F(1, 10**9)
    assert found.to_dict()["violated"] is False
