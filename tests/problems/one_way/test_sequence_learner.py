"""Tests of ``tacit.problems.one_way.sequence_learner``."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from tests.mechanisms.b20_samplers_cases import check
from tests.tools.b20_laws import one_way_law

from tacit.core import Sample
from tacit.problems.finite.constant import NEVER
from tacit.problems.one_way.sequence_learner import OneWayLearner
from tacit.problems.one_way.sequences import Tree

pytestmark = pytest.mark.statistical


@pytest.mark.parametrize("delta", [Fraction(0), Fraction(1, 4)])
def test_one_way_learner(delta):
    tree = Tree(1, 1, 3)
    learner = OneWayLearner(
        tree=tree,
        epsilon_count=Fraction(1),
        epsilon_index=Fraction(1),
        epsilon_string=Fraction(2),
        enough=2,
        low=1,
        high=3,
        delta=delta,
    )
    positives = [4, 4, 4, 8, 12, 12]
    sample = Sample(np.array([*positives, 3, 5]), np.array([1] * 6 + [0, 0]))
    wrong = [replace(learner, epsilon_string=e) for e in (Fraction(3, 2), Fraction(3))]

    def draw(rng):
        rule = learner._release(sample, rng=rng)
        if rule == NEVER:
            return None
        return rule.start, rule.string >> tree.padding << 1 | rule.label

    check(
        draw, one_way_law(learner, positives), *(one_way_law(other, positives) for other in wrong)
    )
