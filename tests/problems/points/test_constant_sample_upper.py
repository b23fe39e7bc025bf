"""Tests of ``tacit.problems.points.constant_sample_upper``."""

from tests.problems.points.bbkn13_points_cases import ALPHA, BETA, ONE, improper

from tacit import plan
from tacit.problems.points import constant_sample_upper as constant_bounds


def test_claim_4_5_in_print_and_ours_stand_side_by_side():
    bound = constant_bounds.constant_points(alpha=ALPHA, beta=BETA, epsilon=ONE)
    assert bound.printed == 95_397_299
    assert bound.n == 8_237
    assert sum(bound.terms.values()) == bound.n
    option = next(o for o in plan(improper(64)).options if o.algorithm.name == "constant-points")
    assert option.bound.printed == bound.printed
