"""Tests of ``tacit.problems.points.heavy_to_proper``."""

from fractions import Fraction

import pytest
from tests.mechanisms.bbkn13_privacy_cases import BITS, largest_ratio, laws_of, records, sample

from tacit.exact.balls import at, ball
from tacit.problems.finite.finite_class import FiniteClassLearner
from tacit.problems.points.heavy_to_proper import LightToProperLearner
from tacit.problems.points.points import Points

pytestmark = pytest.mark.exact


def test_light_to_proper():
    points = Points(size=3)
    mechanism = LightToProperLearner(
        domain=points.domain,
        improper=FiniteClassLearner(concept_class=points, epsilon=Fraction(1)),
        tries=1,
        records=1,
        weight=1,
        spare=1,
        epsilon=Fraction(1),
    )
    with at(BITS):
        worst = largest_ratio(laws_of(mechanism, records(3), 2, sample), records(3))
        assert ball(Fraction(1, 4)).exp() < worst < ball(1).exp()
