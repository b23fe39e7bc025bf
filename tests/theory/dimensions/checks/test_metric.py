"""Verifiers of covers, packings and doubling: each change is found."""

from dataclasses import replace
from fractions import Fraction

import pytest
from tests.theory.dimensions.checks.metric_cases import COVERED, HALF, HARD, PACKED, QUARTER, STEPS

from tacit.theory.dimensions.checks.metric import CHECKS


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (replace(PACKED, members=(0, 1, 4)), "too close"),
        (replace(PACKED, centre=2, within=QUARTER), "outside the ball"),
        (replace(PACKED, members=(0, 9)), "does not exist"),
        (replace(PACKED, reference=(Fraction(1),)), "not a law"),
        (replace(COVERED, centres=(1,)), "not covered"),
        (replace(COVERED, reference=(HALF,) * 4), "not a law"),
        (replace(HARD, size=3), "too small"),
        (replace(HARD, weights=(1, 1, 0, 0, 1)), "more than 1"),
        (replace(HARD, centre=0), "outside the ball"),
        (replace(HARD, radius=Fraction(0)), "does not exist"),
        (replace(HARD, weights=(1, 1)), "weight for each concept"),
    ],
)
def test_a_wrong_one_is_refused_with_its_reason(wrong, reason):
    assert reason in CHECKS[type(wrong)](wrong, STEPS)
