"""Tests of ``tacit.checks.audit.lazy_noise``."""

from fractions import Fraction as F

import pytest
from tests.checks.audit.audit_laws_cases import near

from tacit.checks.audit.lazy_noise import GaussianCells, GeometricCells
from tacit.exact.balls import at, ball

pytestmark = pytest.mark.exact


@pytest.mark.parametrize("cells", [GeometricCells(F(7, 3)), GaussianCells(F(5, 2))])
def test_intervals_of_noise_add_up(cells):
    with at(160):
        assert near(cells.between(None, None), ball(1), F(1, 1 << 130))
        for low, high in ((-9, -4), (-3, 3), (5, 11)):
            inside = sum((cells.at(z) for z in range(low, high + 1)), ball(0))
            assert near(cells.between(low, high), inside, F(1, 1 << 120))
            outside = cells.between(None, low - 1) + cells.between(high + 1, None)
            assert near(inside + outside, ball(1), F(1, 1 << 120))
        assert cells.between(cells.reach(F(1, 1000)) + 1, None) < ball(F(1, 1000))
