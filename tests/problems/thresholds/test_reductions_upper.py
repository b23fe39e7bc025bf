"""Tests of ``tacit.problems.thresholds.reductions_upper``."""

import numpy as np
from tests.problems.points.bbkn13_points_cases import ALPHA, BETA, ONE, everywhere

from tacit import Accuracy, Privacy, Task, plan
from tacit.checks.testing import seeded
from tacit.classes import Points
from tacit.domains.integers import Integers
from tacit.problems.points.constant_sample import (
    NOTHING,
    HashedSet,
)
from tacit.problems.thresholds import reductions_upper as reductions


def test_theorem_4_11_more_weight_costs_little_and_stays_above_the_lower_bound():
    small = reductions.heavy_to_proper(size=1 << 8, alpha=ALPHA, beta=BETA, epsilon=ONE)
    large = reductions.heavy_to_proper(size=1 << 20, alpha=ALPHA, beta=BETA, epsilon=ONE)
    assert small.n < large.n < 2 * small.n
    task = Task(
        Points(bits=20), privacy=Privacy(1), accuracy=Accuracy(ALPHA, BETA), output="proper"
    )
    assert large.n > max(bound.bound.n for bound in plan(task).lower_bounds)


def test_bucket_weight_holds_for_half_of_all_hashes():
    size, bits = 1 << 12, 5
    limit = reductions.bucket_weight(size=size, bits=bits, hashes=1)
    heavy = 0
    for seed in range(60):
        rule = HashedSet(bits)(Integers(size=size), NOTHING, rng=seeded(seed))
        heavy += np.bincount(rule.hash(everywhere(size)), minlength=1 << bits).max() > limit
    assert heavy <= 30
    assert limit < size // 8, "far from trivial"
