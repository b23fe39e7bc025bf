"""Tests of ``tacit.problems.thresholds.quantile_table``."""

from fractions import Fraction

import pytest
from tests.problems.points.sanitizers_privacy_cases import ONE, check, laws, substitutions
from tests.tools.long import long_ones
from tests.tools.sanitizer_laws import renyi

from tacit.classes import Thresholds
from tacit.domains import Integers
from tacit.exact.balls import at, ball
from tacit.problems.finite import multiplicative_weights
from tacit.problems.thresholds import noisy_tree, quantile_table

pytestmark = pytest.mark.exact


@pytest.mark.parametrize(("size", "n", "depth"), [(2, 2, 1), (3, 2, 1), (2, 2, 2), (2, 3, 2)])
def test_quantile_tables(size, n, depth):
    mechanism = quantile_table.QuantileTable(
        domain=Integers(size=size), depth=depth, call=Fraction(1, depth)
    )
    assert mechanism.event().epsilon == 2
    found = laws(mechanism, size, n, whole=False)
    check(found, size, n, epsilon=Fraction(2), loose=Fraction(1, 10))


CONCENTRATED = {
    "tree": (
        noisy_tree.NoisyTree(domain=Integers(bits=1), branching=2, levels=1, rho=ONE),
        2,
    ),
    "quantiles": (
        quantile_table.QuantileTable(
            domain=Integers(size=2), depth=2, call=Fraction(1), accounting="zcdp"
        ),
        2,
    ),
    "weights": (
        multiplicative_weights.WeightedTable(
            concepts=Thresholds(size=2), rounds=2, rows=1 << 20, rho=Fraction(1, 2)
        ),
        2,
    ),
}


@pytest.mark.parametrize("name", long_ones(CONCENTRATED, "weights"))
def test_concentrated_privacy(name):
    """Renyi divergences of several orders stay below order times rho, and above a part of it."""
    mechanism, n = CONCENTRATED[name]
    found = laws(mechanism, 2, n, whole=False)
    rho = mechanism.event().rho
    with at(256):
        largest = ball(0)
        for order in (2, 3, 8):
            for left, right in substitutions(2, n):
                value = renyi(found[left][0], found[right][0], order)
                assert value < ball(rho * order) + ball(Fraction(1, 10**6))
                largest = largest.max(value / (ball(rho) * order))
        assert largest > ball(Fraction(1, 20)), "a much smaller rho must be found out"
