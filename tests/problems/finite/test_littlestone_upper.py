"""Tests of ``tacit.problems.finite.littlestone_upper``."""

from fractions import Fraction as F

import pytest
from tests.problems.several.bounds_theorems_cases import A, E

from tacit.problems.finite import littlestone_upper as littlestone

pytestmark = pytest.mark.exact


def test_global_stability_is_astronomical():
    sizes = [
        littlestone.global_stability(littlestone=d, alpha=A, epsilon=E, delta=F(1, 10**6)).n
        for d in (1, 2, 3)
    ]
    assert sizes[0] > 10**8
    assert sizes[2] > 10**6 * sizes[1] > 10**9 * sizes[0] / 10**4
