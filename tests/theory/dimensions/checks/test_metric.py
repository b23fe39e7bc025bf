"""Verifiers of covers, packings and doubling: each change is found."""

from dataclasses import replace
from fractions import Fraction

import pytest

from tacit.theory.dimensions.certificates import Cover, HardBall, Packing
from tacit.theory.dimensions.checks.metric import CHECKS
from tacit.theory.dimensions.incidence import read

STEPS = read([[int(j >= i) for j in range(4)] for i in range(5)])
UNIFORM = (Fraction(1, 4),) * 4
HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
PACKED = Packing(
    digest="", radius=QUARTER, reference=UNIFORM, members=(0, 2, 4), centre=-1, within=Fraction(1)
)
COVERED = Cover(digest="", radius=QUARTER, reference=UNIFORM, centres=(1, 3))
HARD = HardBall(
    digest="", reference=UNIFORM, size=2, radius=HALF, centre=2, weights=(1, 0, 0, 0, 1)
)


@pytest.mark.parametrize("right", [PACKED, replace(PACKED, centre=2, within=HALF), COVERED, HARD])
def test_a_true_certificate_passes(right):
    assert CHECKS[type(right)](right, STEPS) is None


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
