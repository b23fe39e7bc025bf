"""Records for draws in stages: the stated inequality holds at n and fails just below."""

from fractions import Fraction
from math import log, sqrt

import pytest

from tacit.bounds.upper.occam import agnostic_excess
from tacit.bounds.upper.stages import mistakes_of_one_draw, staged, whole_budget

ALPHA, BETA, PRIOR = Fraction(1, 10), Fraction(1, 20), Fraction(1, 10**4)


@pytest.mark.parametrize("extra", [0, 10, 400])
def test_the_inequality_of_the_claim_turns_at_n(extra):
    n = staged(extra=Fraction(extra), least_prior=PRIOR, alpha=ALPHA, beta=BETA).n

    def error(n):
        sampling = sqrt(log(4 / BETA) / 2 / n) + sqrt(log(4 / (PRIOR * BETA)) / 2 / n)
        return extra / n + sampling

    assert error(n) <= ALPHA < error(n - 2)


def test_one_draw_loses_the_logarithm_of_its_odds():
    lost = mistakes_of_one_draw(prior=PRIOR, rate=Fraction(1, 2), beta=BETA)
    assert float(lost) == pytest.approx(2 * log(1 / (PRIOR * BETA)), rel=1e-9)


def test_the_whole_budget_is_the_least_n_at_which_the_excess_fits():
    given = {"prior": PRIOR, "least_prior": PRIOR, "rate": Fraction(1, 2), "beta": BETA}
    bound = whole_budget(alpha=ALPHA, **given)
    assert agnostic_excess(n=bound.n, **given) <= ALPHA < agnostic_excess(n=bound.n - 1, **given)
    assert sum(bound.terms.values()) == pytest.approx(bound.n)
