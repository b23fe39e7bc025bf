"""Tests of ``tacit.problems.points.point_learner_upper``."""

from fractions import Fraction

import pytest
from scipy.stats import binom

from tacit.exact.geometric_tails import at_least
from tacit.problems.points import one_histogram_upper
from tacit.problems.points.point_learner_upper import heavy_count, point_learner

pytestmark = pytest.mark.exact

"""Noisy counts beyond so many are one outcome: from there on the odds no longer change."""


def test_the_bound_is_made_of_its_tails():
    asked = {"beta": Fraction(1, 20), "epsilon": Fraction(1), "delta": Fraction(1, 10**6)}
    bound = point_learner(alpha=Fraction(1, 10), **asked)
    level, scale = heavy_count(n=bound.n, **asked)
    assert level == bound.choices["level"]
    assert scale == 4
    assert bound.n > one_histogram_upper.one_histogram(alpha=Fraction(1, 10), **asked).n
    assert bound.n < bound.printed
    # A likely value is missed, by scipy's binomial law and the noise's own, within its share.
    missed = sum(
        binom.pmf(count, bound.n, 0.1) * float((1 - at_least(scale, level - count)).mid())
        for count in range(bound.n + 1)
    )
    assert missed / 0.1 <= 0.05 / 2
