"""Tests of ``tacit.problems.points.listed_points_upper``."""

from fractions import Fraction as F

import numpy as np
import pytest
from scipy.stats import binomtest
from tests.problems.points.listed_points_cases import ENTRY, task
from tests.tools.levels import SIGNIFICANCE

from tacit.checks.testing import seeded
from tacit.core import BadInput, Relation, Sample
from tacit.exact.geometric_tails import at_least
from tacit.problems.points.listed_points_upper import (
    Listed,
    failure,
    listed_points,
    threshold,
)


def test_a_small_domain_is_refused_in_words():
    with pytest.raises(BadInput, match="too small"):
        listed_points(size=16, k=3, alpha=F(1, 10), beta=F(1, 10), epsilon=F(1))


def test_noise_alone_lists_one_value_at_most_on_average():
    for relation, epsilon in ((Relation.REPLACE_ONE, F(1, 3)), (Relation.ADD_REMOVE, F(2))):
        limit = threshold(size=2**40, epsilon=epsilon, relation=relation)
        scale = F(2 if relation is Relation.REPLACE_ONE else 1) / epsilon
        assert 2**40 * at_least(scale, limit) <= 1
        assert 2**40 * at_least(scale, limit - 1) > 1


def test_the_bound_is_not_below_the_truth_on_a_tiny_law():
    # Two values of mass 1/2, k = 1, target value 0: enumerate counts and noise by sampling.
    way_bound = listed_points(size=2**20, k=1, alpha=F(2, 5), beta=F(3, 10), epsilon=F(4))
    made = ENTRY.build(task(20, 1, alpha="0.4", beta="0.3").with_(epsilon=4), way_bound, None)
    rng, generator, failed = seeded("tiny"), np.random.default_rng(0), 0
    for _ in range(300):
        x = generator.integers(0, 2, way_bound.n)
        (rule,) = made._release(Sample(x, (x == 0)[:, None]), rng=rng).rules
        failed += rule.point != 0
    assert binomtest(failed, 300, 0.3, alternative="greater").pvalue > SIGNIFICANCE


def test_failure_falls_with_records():
    bound = listed_points(size=2**64, k=10, alpha=F(1, 10), beta=F(1, 10), epsilon=F(1))
    way = Listed(**bound.choices)
    asked = {"size": 2**64, "k": 10, "alpha": F(1, 10), "relation": Relation.REPLACE_ONE}
    found = [failure(n, way, **asked) for n in range(bound.n - 40, bound.n + 400, 40)]
    assert found == sorted(found, reverse=True)
    assert failure(bound.n, way, **asked) <= F(1, 10) < failure(bound.n - 1, way, **asked)
