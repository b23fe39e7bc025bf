"""The mean error of one draw: the formula, and a family of rules on which it can be computed."""

from fractions import Fraction
from math import comb, exp, log, sqrt

import numpy as np
import pytest

from tacit.bounds.upper.expected import expected_excess

RATE, PRIOR, LEAST = Fraction(1, 2), Fraction(1, 100), Fraction(1, 10**6)


def price(nats, n, rate):
    """The least value over a fine grid of what holds for every t up to the rate."""
    grid = np.linspace(rate / 4000, rate, 4000)
    return float((grid / 8 + nats / n * (1 / grid - 1 / rate)).min())


@pytest.mark.parametrize("n", [10, 200, 442, 443, 2_000, 10**5])
def test_the_formula_is_the_best_of_all_that_hold(n):
    found = expected_excess(n=n, rate=RATE, prior=PRIOR, least_prior=LEAST)
    stated = log(100) / (0.5 * n) + price(log(10**6), n, 0.5)
    assert min(1, stated) - 1e-9 <= float(found) <= min(1, stated + 2e-4)


def test_richer_rules_cost_nothing_where_records_are_few_for_the_rate():
    few = {"n": 400, "rate": Fraction(1, 4), "prior": PRIOR}
    many = {"n": 40_000, "rate": Fraction(1, 4), "prior": PRIOR}
    poor, rich = Fraction(1, 10**4), Fraction(1, 10**40)
    assert expected_excess(least_prior=poor, **few) == expected_excess(least_prior=rich, **few)
    assert expected_excess(least_prior=poor, **many) < expected_excess(least_prior=rich, **many)


def test_without_records_nothing_is_promised():
    assert expected_excess(n=0, rate=RATE, prior=PRIOR, least_prior=LEAST) == 1


def mean_error(errors, n, rate):
    """Exactly: rules whose mistakes are independent, each wrong with a chance of its own."""
    laws = [[comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)] for p in errors]
    total = 0.0
    for a, left in enumerate(laws[0]):
        for b, right in enumerate(laws[1]):
            one, other = exp(-rate * a), exp(-rate * b)
            drawn = one / (one + other)
            total += left * right * (drawn * errors[0] + (1 - drawn) * errors[1])
    return total


@pytest.mark.parametrize("n", [1, 5, 30])
@pytest.mark.parametrize("rate", [0.1, 0.5, 2.0])
@pytest.mark.parametrize("errors", [(0.1, 0.9), (0.4, 0.5), (0.5, 0.5), (0.0, 0.3)])
def test_two_rules_stay_within_it_exactly(n, rate, errors):
    half = Fraction(1, 2)
    allowed = expected_excess(n=n, rate=Fraction(rate), prior=half, least_prior=half)
    assert mean_error(errors, n, rate) <= min(errors) + float(allowed)


def test_many_bad_rules_need_the_sampling_term():
    """Without it the statement is false: one of many coins looks good on few records."""
    rng = np.random.default_rng(0)
    n, rules, rate, found = 30, 4_000, 2.0, []
    for _ in range(300):
        mistakes = rng.binomial(n, 0.5, rules).astype(float)
        mistakes[0] = rng.binomial(n, 0.4)  # the comparator, of prior 1/2
        weight = np.exp(-rate * (mistakes - mistakes.min()))
        weight[0] *= rules - 1
        found.append(0.5 - 0.1 * weight[0] / weight.sum())
    excess = np.mean(found) - 0.4
    privacy = log(2) / (rate * n)
    allowed = expected_excess(
        n=n, rate=Fraction(2), prior=Fraction(1, 2), least_prior=Fraction(1, 2 * (rules - 1))
    )
    assert privacy < excess <= float(allowed)
    assert sqrt(log(2 * rules) / (2 * n)) > 0.1
