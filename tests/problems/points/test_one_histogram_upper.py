"""Tests of ``tacit.problems.points.one_histogram_upper``."""

from fractions import Fraction as F
from math import exp

import pytest
from scipy.stats import binom
from tests.problems.several.bounds_theorems_cases import E

from tacit.problems.points import one_histogram_upper

pytestmark = pytest.mark.exact


def tail(q, m):
    """``P(Z >= m)`` of the two-sided geometric law, ``m >= 1``."""
    return q**m / (1 + q)


def test_one_histogram_at_the_planned_records():
    alpha, beta, delta = F(1, 5), F(1, 10), F(1, 1000)
    plan = one_histogram_upper.one_histogram(alpha=alpha, beta=beta, epsilon=E, delta=delta)
    q, threshold = exp(-0.5), plan.choices["threshold"]

    def missed(n):
        # A value of probability alpha: P(count + noise < threshold), exactly.
        total = 0.0
        for count in range(n + 1):
            short = threshold - 1 - count
            below = tail(q, -short) if short < 0 else 1 - tail(q, short + 1)
            total += binom.pmf(count, n, float(alpha)) * below
        return total

    assert missed(plan.n) / float(alpha) <= beta
    assert missed(plan.n // 2) / float(alpha) > beta
