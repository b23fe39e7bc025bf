"""What a part of a stated cost may have paid for."""

from fractions import Fraction
from math import tanh

import pytest

from tacit.bounds.upper.weights import concentrated
from tacit.core import ZCDP, Approximate, Composed, Pure, Relation, Selection
from tacit.report.paid import least_variance, may_be_counted, may_be_drawn, may_cost

RELATION = Relation.REPLACE_ONE


def zcdp(rho):
    return ZCDP(rho=rho, relation=RELATION)


def pure(epsilon):
    return Pure(epsilon=epsilon, relation=RELATION)


def approximate(epsilon, delta="1/1000"):
    return Approximate(epsilon=epsilon, delta=delta, relation=RELATION)


def together(*events):
    return Composed(events=events, relation=RELATION)


@pytest.mark.parametrize(
    "part", [pure, approximate, lambda e: Selection(epsilon=e, relation=RELATION)]
)
def test_a_part_pays_for_counts_of_its_epsilon_and_for_no_larger_ones(part):
    for event in (part(2), together(part(1), part(2)), together(part(2), zcdp("1/100"))):
        assert may_be_counted(event, Fraction(2))
        assert not may_be_counted(event, Fraction(201, 100))


@pytest.mark.parametrize("epsilon", ["1/100", "1/2", 1, 3, 50])
def test_zcdp_pays_for_every_count_that_has_it(epsilon):
    """A count of epsilon-DP is epsilon**2 / 2-zCDP; none is by a tenth of its divergence."""
    epsilon = Fraction(epsilon)
    least = epsilon * Fraction(tanh(epsilon / 2))
    assert may_be_counted(zcdp(epsilon**2 / 2), epsilon)
    assert may_be_counted(zcdp(least), epsilon)
    assert not may_be_counted(zcdp(least / 10), epsilon)


def test_a_draw_of_bounded_range_costs_an_eighth_of_its_square():
    for event in (pure(2), zcdp("1/2"), together(pure("1/9"), zcdp("1/2"))):
        assert may_be_drawn(event, Fraction(2))
        assert not may_be_drawn(event, Fraction(201, 100))


def test_gaussian_noise_is_paid_for_by_rho_or_with_a_delta():
    rho = concentrated(epsilon=Fraction(1), delta=Fraction(1, 1000))
    assert least_variance(zcdp(2), counts=6) == Fraction(3, 2)
    assert least_variance(together(pure(5), approximate(1)), counts=6) == 3 / rho
    assert (
        least_variance(together(pure(5), approximate("1/9"), approximate(1)), counts=6) == 3 / rho
    )
    assert least_variance(together(zcdp(2), approximate(1)), counts=6) == Fraction(3, 2)
    assert least_variance(pure(5), counts=6) is None


def test_a_cost_is_a_part_of_what_was_paid():
    paid = together(pure("1/2"), zcdp("1/8"))
    for cost in (pure("1/2"), zcdp("1/8"), zcdp("1/9")):
        assert may_cost(paid, cost)
    for cost in (pure(1), zcdp("1/7"), approximate("1/2"), together(pure("1/2"))):
        assert not may_cost(paid, cost)
    assert not may_cost(pure(9), zcdp("1/1000000"))
