"""Tests of ``tacit.problems.points.points_lower``."""

from fractions import Fraction as F

import pytest

from tacit.problems.points import points_lower as lower_points

pytestmark = pytest.mark.property


def test_delta_only_weakens_a_lower_bound():
    asked = {"size": 2**64, "alpha": F(1, 10), "beta": F(1, 10), "epsilon": F(1)}
    sizes = [lower_points.rare_point(**asked, delta=d).n for d in (F(0), F(1, 10**12), F(1, 1000))]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > sizes[1] > sizes[2] > 1
