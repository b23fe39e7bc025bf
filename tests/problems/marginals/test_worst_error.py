"""The certified worst error: noise added, never above one, by the noise that was paid for."""

from fractions import Fraction

import pytest

from tacit.core import REPLACE_ONE, ZCDP, Approximate, BadInput, Pure
from tacit.exact.geometric_tails import at_least
from tacit.problems.marginals.worst_error import budget_of, worst_error

BETA = Fraction(1, 20)

COST = Pure(epsilon=Fraction(1, 10), relation=REPLACE_ONE)


def test_the_margin_is_the_least_that_noise_falls_below_with_at_most_beta():
    margin = budget_of(COST).margin(BETA)
    assert float(at_least(Fraction(10), margin + 1)) <= BETA
    assert float(at_least(Fraction(10), margin - 1)) > BETA
    assert worst_error(90, records=1000, cost=COST, beta=BETA) == Fraction(90 + margin, 1000)


@pytest.mark.parametrize(("noisy", "error"), [(-(10**6), 0), (10**6, 1)])
def test_an_error_stays_between_nothing_and_everything(noisy, error):
    assert worst_error(noisy, records=1000, cost=COST, beta=BETA) == error


def test_more_budget_is_a_smaller_error():
    costs = [ZCDP(rho=Fraction(1, k), relation=REPLACE_ONE) for k in (10, 100, 1000)]
    errors = [worst_error(9, records=10**4, cost=cost, beta=BETA) for cost in costs]
    assert errors == sorted(errors)
    assert len(set(errors)) == 3


def test_another_cost_is_refused():
    with pytest.raises(BadInput, match="epsilon or with rho"):
        budget_of(Approximate(epsilon=1, delta="1e-6", relation=REPLACE_ONE))
