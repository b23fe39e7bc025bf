"""Tests of ``tacit.problems.thresholds.uniform_lower``."""

from fractions import Fraction as F

import pytest
from tests.bounds.lower.bounds_lower_witness_cases import best_failure, flips

from tacit.problems.thresholds import uniform_lower as uniform

pytestmark = pytest.mark.exact


def test_shifted_cuts():
    """Five values, cuts 1, 3 and 5. A tenth of five values is none, so one answer is good for
    each, and the values 1, 2 and 3, 4 are alike.
    """
    alpha, beta, epsilon = F(1, 10), F(1, 10), F(1)
    claimed = uniform.shifted_cuts(size=6, domain_size=5, alpha=alpha, beta=beta, epsilon=epsilon).n
    scenarios = [
        ({("0", 0): F(1, 5), ("12", int(cut < 2)): F(2, 5), ("34", int(cut < 4)): F(2, 5)}, {cut})
        for cut in (1, 3, 5)
    ]
    assert claimed > 1
    rest = {"answers": (1, 3, 5), "epsilon": 1.0, "neighbours": flips}
    assert best_failure(scenarios, n=claimed - 1, **rest) > beta
