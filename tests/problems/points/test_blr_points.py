"""Tests of ``tacit.problems.points.blr_points``."""

from fractions import Fraction

import numpy as np
import pytest
from tests.problems.points.sanitizers_privacy_cases import ONE, check, laws
from tests.tools.sanitizer_laws import law_of_mechanism

from tacit.classes import Points, Thresholds
from tacit.core import Sample
from tacit.domains import Integers
from tacit.exact.balls import at, ball
from tacit.problems.finite import blr_enumerated
from tacit.problems.points import blr_points
from tacit.problems.thresholds import blr_thresholds

pytestmark = pytest.mark.exact


@pytest.mark.parametrize(("size", "n", "rows"), [(3, 2, 2), (4, 3, 2), (2, 4, 3)])
def test_selected_point_tables(size, n, rows):
    mechanism = blr_points.PointSelection(domain=Integers(size=size), rows=rows, epsilon=2)
    found = laws(mechanism, size, n)
    check(found, size, n, epsilon=mechanism.event().epsilon)


def test_both_ways_of_selecting_a_table_have_one_law():
    """Counting between staircases, or between limits, against listing every table."""
    domain, sample = Integers(size=4), Sample(np.array([0, 2, 2, 3, 3]), None)
    for concepts, counted in (
        (Thresholds(size=4), blr_thresholds.ThresholdSelection),
        (Points(size=4), blr_points.PointSelection),
    ):
        listed = blr_enumerated.EnumeratedSelection(concepts=concepts, rows=3, epsilon=ONE)
        mechanism = counted(domain=domain, rows=3, epsilon=ONE)
        fast, _ = law_of_mechanism(mechanism, sample)
        slow, _ = law_of_mechanism(listed, sample)
        assert set(fast) == set(slow)
        with at(256):
            for table, chance in fast.items():
                assert abs(chance - slow[table]) < ball(Fraction(1, 10**30))
