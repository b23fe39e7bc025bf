"""Occam's bound and the comparator bounds against exact probabilities."""

from fractions import Fraction
from math import cosh, exp, log, sinh, sqrt

import numpy as np
import pytest
from scipy.stats import binom

from tacit.bounds.upper.occam import agnostic_excess, noise_margin, occam_error, realizable_error
from tacit.core import BadInput

BETA = Fraction(1, 20)


@pytest.mark.parametrize("n", [10, 100, 2000])
@pytest.mark.parametrize("prior", [Fraction(1), Fraction(1, 10**6)])
def test_a_rule_above_the_bound_hides_its_errors_with_at_most_its_share(n, prior):
    for mistakes in {0, 1, n // 10, n // 2}:
        p = occam_error(mistakes=mistakes, n=n, prior=prior, beta=BETA)
        if p < 1:
            assert binom.cdf(mistakes, n, float(p)) <= float(prior * BETA) * (1 + 1e-9)
    # Without mistakes the bound is tight: two steps of its grid lower, it is false.
    p = occam_error(mistakes=0, n=n, prior=prior, beta=BETA)
    if p < 1:
        lower = float(p - Fraction(2, 10**4))
        assert (1 - lower) ** n > float(prior * BETA)


def test_the_bound_grows_with_mistakes_and_falls_with_records():
    values = [occam_error(mistakes=k, n=200, prior=Fraction(1, 50), beta=BETA) for k in range(201)]
    assert values == sorted(values)
    assert values[-1] == 1
    assert occam_error(mistakes=-7, n=200, prior=Fraction(1, 50), beta=BETA) == values[0]
    assert occam_error(mistakes=0, n=0, prior=Fraction(1), beta=BETA) == 1


def test_formulas_rounded_up():
    n, rate, prior = 5000, Fraction(1, 4), Fraction(1, 10**5)
    shrink = (float(prior * BETA)) ** (1 / n)
    error = realizable_error(n=n, rate=rate, prior=prior, beta=BETA)
    assert 0 <= float(error) - (1 - shrink) / (1 - exp(-0.25)) <= 1.01e-4
    excess = agnostic_excess(n=n, rate=rate, prior=prior, least_prior=prior, beta=BETA)
    master = (cosh(0.25) - shrink) / sinh(0.25)
    odds = 3 / float(prior * BETA)
    steps = log(odds) / (0.25 * n) + sqrt(log(3 / 0.05) / (2 * n)) + sqrt(log(odds) / (2 * n))
    assert 0 <= float(excess) - min(master, steps) <= 1.01e-4


def test_the_comparator_bound_holds_on_an_exact_instance():
    """Two rules, one without error: the chance of the other, summed over all samples."""
    n, rate = 60, 0.5
    alpha = float(realizable_error(n=n, rate=Fraction(1, 2), prior=Fraction(1, 2), beta=BETA))
    wrong = np.arange(n + 1)
    weight = np.exp(-rate * wrong)
    for true_error, holds in ((alpha, True), (alpha / 3, False)):
        chance = float((binom.pmf(wrong, n, true_error) * weight / (1 + weight)).sum())
        assert (chance <= float(BETA)) is holds


def test_noise_margin_covers_the_tail():
    for epsilon in (Fraction(1, 100), Fraction(1), Fraction(5)):
        t = noise_margin(epsilon=epsilon, beta=BETA)
        q = exp(-float(epsilon))
        assert q**t / (1 + q) <= float(BETA)


@pytest.mark.parametrize(
    ("function", "wrong"),
    [
        (function, wrong)
        for function in (realizable_error, agnostic_excess)
        for wrong in ({"prior": 0}, {"rate": 0}, {"beta": 0}, {"beta": 1}, {"prior": -1})
    ],
)
def test_the_comparator_bounds_refuse_what_they_are_not_proved_for(function, wrong):
    given = {"n": 100, "rate": Fraction(1, 2), "prior": Fraction(1, 8), "beta": Fraction(1, 20)}
    if function is agnostic_excess:
        given["least_prior"] = Fraction(1, 8)
    assert 0 < function(**given) <= 1
    with pytest.raises(BadInput, match="|".join(wrong)):
        function(**(given | wrong))
