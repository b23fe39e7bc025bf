"""What a packing forbids, against the plain sum that it stands for."""

from fractions import Fraction
from math import ceil, comb, exp, log

import pytest

from tacit.bounds.lower.packing import Budget, everything, packed, scaled_phi
from tacit.core import ADD_REMOVE, LABEL, REPLACE_ONE

BETA = Fraction(1, 10)


def plain_phi(*, n, p, beta, epsilon):
    """``E exp(-epsilon K)``, with ``beta`` of the probability taken from the smallest ``K``."""
    left, value = float(beta), 0.0
    for k in range(n + 1):
        mass = comb(n, k) * p**k * (1 - p) ** (n - k)
        taken = min(left, mass)
        left -= taken
        value += (mass - taken) * exp(-epsilon * k)
    return value


@pytest.mark.parametrize("n", [1, 5, 20, 60])
def test_phi_is_the_plain_sum_from_below(n):
    p, epsilon = Fraction(1, 4), Fraction(1, 2)
    found = scaled_phi(n=n, p=p, beta=BETA, epsilon=epsilon, log_scale=Fraction(0))
    true = plain_phi(n=n, p=0.25, beta=BETA, epsilon=0.5)
    assert found <= true * (1 + 1e-12)
    assert found == pytest.approx(true, rel=1e-6)


def test_the_first_number_that_is_not_forbidden_is_the_bound():
    budget = Budget.of(epsilon=1, relation=REPLACE_ONE)
    n = packed(alternatives=1000, p=Fraction(1, 4), beta=BETA, budget=budget)
    room = float(BETA) / 1000
    assert plain_phi(n=n, p=0.25, beta=BETA, epsilon=1) <= room
    assert plain_phi(n=n - 1, p=0.25, beta=BETA, epsilon=1) > room


def test_where_all_records_differ_the_logarithm_decides():
    budget = Budget.of(epsilon="0.5", relation=LABEL)
    assert everything(alternatives=10**6, beta=BETA, budget=budget) == ceil(2 * log(9 * 10**6))
    assert everything(alternatives=0, beta=BETA, budget=budget) == 1


def test_a_replaced_record_is_two_steps_of_add_remove_and_delta_costs():
    twice = Budget.of(epsilon=1, delta="0.01", relation=ADD_REMOVE)
    assert (twice.epsilon, twice.step) == (2, 1)
    assert float(twice.lost()) == pytest.approx(0.01 / (exp(1) - 1))
    assert Budget.of(epsilon=1, relation=REPLACE_ONE).lost() == 0
