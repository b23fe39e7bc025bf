"""Tests of ``tacit.problems.points.points_upper``."""

from fractions import Fraction as F

import pytest
from tests.bounds.upper.bounds_upper_witness_cases import POINTS, failure

from tacit.problems.points import points_upper as points

pytestmark = pytest.mark.exact


def test_half_the_records_do_not_suffice_for_points():
    alpha, beta, epsilon = F(3, 10), F(1, 4), F(4)
    n = points.exact_tail(size=4, alpha=alpha, beta=beta, epsilon=epsilon).n
    just_above = F(301, 1000)
    distribution = {(0, 1): just_above, (1, 0): 1 - just_above}
    rest = {"rate": 2.0, "selector": "exponential", "bad": [1, 2, 3]}
    assert failure(POINTS, distribution, n=n, **rest) <= beta
    assert failure(POINTS, distribution, n=n // 2, **rest) > beta


def test_points_whose_wrong_answers_share_the_mass():
    """Several wrong points of small mass beat one wrong crowd: the cover of q is needed."""
    alpha, beta, epsilon, size = F(1, 4), F(1, 4), F(4), 4
    n = points.exact_tail(size=size, alpha=alpha, beta=beta, epsilon=epsilon).n
    for target_mass in (F(0), F(1, 20), F(1, 10), F(1, 5), F(1, 4)):
        others = (1 - target_mass) / 3
        distribution = {(0, 1): target_mass, **{(x, 0): others for x in (1, 2, 3)}}
        bad = [i for i in (1, 2, 3) if target_mass + others > alpha]
        got = failure(POINTS, distribution, n=n, rate=2.0, selector="exponential", bad=bad)
        assert got <= beta
