"""Tests of ``tacit.problems.points.proposition_30``."""

from fractions import Fraction

import pytest
from tests.problems.points.sanitizers_privacy_cases import _bins, check, laws, worst

from tacit.domains import Integers
from tacit.exact.balls import at, ball
from tacit.problems.points import proposition_30

pytestmark = pytest.mark.exact


def test_proposition_30():
    epsilon, delta, n = Fraction(6), Fraction(1, 10), 4
    domain = Integers(size=3)
    histogram = proposition_30.PrintedHistogram(
        domain=domain, n=n, alpha=Fraction(99, 100), epsilon=epsilon, delta=delta
    )
    assert histogram.most_hidden == 0
    found = laws(histogram, 3, n, seen=_bins)
    check(found, 3, n, epsilon=epsilon, delta=delta)


def test_proposition_30_below_its_records_would_not_be_private():
    """What the constructor refuses does leak more than delta: the condition is needed."""
    epsilon, delta = Fraction(1), Fraction(1, 100)
    from tacit.core import NeedMoreRecords

    with pytest.raises(NeedMoreRecords):
        proposition_30.PrintedHistogram(
            domain=Integers(size=2), n=4, alpha=Fraction(9, 10), epsilon=epsilon, delta=delta
        )
    honest = proposition_30.PrintedHistogram(
        domain=Integers(size=2), n=100, alpha=Fraction(9, 10), epsilon=epsilon, delta=delta
    )
    object.__setattr__(honest, "n", 4)  # past the check, as no caller can
    found = laws(honest, 2, 2, seen=_bins)
    most, _ = worst(found, 2, 2, epsilon)
    with at(256):
        assert most > ball(delta)
