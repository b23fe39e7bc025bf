"""Tests of ``tacit.problems.finite.fitted_histogram``."""

from fractions import Fraction

import pytest
from tests.problems.points.sanitizers_privacy_cases import check, laws

from tacit.classes import Points, Thresholds
from tacit.problems.finite import fitted_histogram

pytestmark = pytest.mark.exact


@pytest.mark.parametrize(
    "concepts", [Thresholds(size=3), Points(size=3)], ids=["thresholds", "points"]
)
def test_fitted_histograms(concepts):
    mechanism = fitted_histogram.FittedHistogram(
        concepts=concepts, n=2, noise=1, rounds=20, rows=60, epsilon=Fraction(6)
    )
    size = concepts.domain.size
    found = laws(mechanism, size, 2)
    check(found, size, 2, epsilon=Fraction(6))
