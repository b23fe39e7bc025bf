"""The bound from a noisy count of mistakes, against exact probabilities of failure."""

from fractions import Fraction
from functools import lru_cache
from math import exp

import numpy as np
import pytest
from scipy.stats import binom

from tacit.bounds.upper import noisy_count
from tacit.bounds.upper.noisy_count import allowance, certified_error, count_share
from tacit.bounds.upper.occam import noise_margin, occam_error

BETA = Fraction(1, 20)

FIFTH = Fraction(1, 5)


def noise_law(epsilon):
    reach = int(45 / epsilon) + 2
    z = np.arange(-reach, reach + 1)
    q = exp(-epsilon)
    return z, (1 - q) / (1 + q) * q ** np.abs(z)


@lru_cache
def highest_failing(p, *, n, prior, epsilon, beta=BETA):
    """The largest noisy count whose bound is below the true error ``p``, by bisection."""
    low, high = -(10**4), n + 1
    while high - low > 1:
        middle = (low + high) // 2
        bound = certified_error(noisy_mistakes=middle, n=n, prior=prior, epsilon=epsilon, beta=beta)
        low, high = (middle, high) if bound < p else (low, middle)
    return low


def failure(errors, priors, *, n, epsilon, noise=None):
    """The exact chance that the bound of some rule is below its error: independent mistakes."""
    z, mass = noise_law(float(epsilon if noise is None else noise))
    survive = np.ones(len(z))
    for p, prior in zip(errors, priors, strict=True):
        failing = highest_failing(p, n=n, prior=prior, epsilon=epsilon)
        survive *= 1 - binom.cdf(failing - z, n, float(p))
    return float((mass * (1 - survive)).sum())


EQUAL = [Fraction(1, 20)] * 20

HALVING = [Fraction(1, 2 ** (i + 1)) for i in range(12)]


@pytest.mark.parametrize("n", [40, 569, 3000])
@pytest.mark.parametrize("epsilon", [Fraction(1, 10), Fraction(1, 2), Fraction(3)])
@pytest.mark.parametrize("priors", [[Fraction(1)], EQUAL, HALVING], ids=["one", "equal", "halving"])
def test_bounds_fail_with_at_most_beta(n, epsilon, priors):
    for p in (Fraction(1, 10), Fraction(2, 5)):
        chance = failure([p] * len(priors), priors, n=n, epsilon=epsilon)
        assert chance <= float(BETA)


def test_the_check_rejects_more_noise_than_was_planned_for():
    """The same bound, its count with twice the noise: then it fails too often."""
    given = {"n": 569, "epsilon": FIFTH}
    errors = [Fraction(1, 10)] * 20
    assert failure(errors, EQUAL, **given) <= 0.05
    assert failure(errors, EQUAL, noise=Fraction(1, 10), **given) > 0.1
    # Nor is the bound idle: one rule alone uses a good part of beta.
    assert failure(errors[:1], [Fraction(1)], **given) > 0.015


def test_the_expected_allowance_is_beta_and_nearly_all_of_it():
    for n in (3, 569, 10**5):
        for epsilon in (Fraction(1, 100), FIFTH, Fraction(2)):
            found = allowance(n=n, epsilon=epsilon, beta=BETA)
            z, mass = noise_law(float(epsilon))
            i = z + found.reach - 1
            psi = np.where(i < 0, 1.0, float(found.height) * float(found.fall) ** np.maximum(i, 0))
            assert 0.97 * 0.05 < (mass * psi).sum() <= 0.05


def test_thirty_of_569_at_a_fifth_is_what_the_theory_says():
    """At priors of e^-10, e^-12 and e^-15: 13.1, 13.8 and 14.8 per cent, rounded up."""
    for nats, most in ((10, 0.131), (12, 0.138), (15, 0.148)):
        bound = certified_error(
            noisy_mistakes=30, n=569, prior=Fraction(exp(-nats)), epsilon=FIFTH, beta=BETA
        )
        assert most - 0.001 < bound <= most
    default = certified_error(
        noisy_mistakes=30,
        n=569,
        prior=Fraction(exp(-12)),
        epsilon=count_share(n=569, epsilon=Fraction(1)),
        beta=BETA,
    )
    assert default <= Fraction(155, 1000)


@pytest.mark.parametrize(("n", "mistakes"), [(569, 30), (569, 200), (40000, 6000), (10**6, 10**5)])
def test_it_is_never_above_what_was_certified_before(n, mistakes):
    for epsilon in (Fraction(1, 20), FIFTH, Fraction(1)):
        for prior in (Fraction(1, 100), Fraction(1, 10**9)):
            margin = noise_margin(epsilon=epsilon, beta=BETA / 2)
            before = occam_error(mistakes=mistakes + margin - 1, n=n, prior=prior, beta=BETA / 2)
            now = certified_error(
                noisy_mistakes=mistakes, n=n, prior=prior, epsilon=epsilon, beta=BETA
            )
            assert now <= before


def test_it_grows_with_the_count_and_ends_at_one():
    given = {"n": 50, "prior": Fraction(1, 10), "epsilon": Fraction(1), "beta": BETA}
    bounds = [certified_error(noisy_mistakes=k, **given) for k in range(-30, 60)]
    assert bounds == sorted(bounds)
    assert bounds[0] > 0  # noise below zero certifies no more than the count zero
    assert bounds[-1] == 1
    assert certified_error(noisy_mistakes=0, **given | {"n": 0}) == 1


def test_few_terms_or_many_give_the_same_bound():
    """Where the sum is cut off after 2**16 terms, a geometric series bounds the rest."""
    n, k = 4 * 10**10, 10**10
    bound = certified_error(noisy_mistakes=k, n=n, prior=Fraction(1), epsilon=FIFTH, beta=BETA)
    assert Fraction(1, 4) < bound <= Fraction(1, 4) + Fraction(2, 10**4)


def test_the_least_of_several_noisy_counts_is_covered_by_a_part_of_beta():
    """A geometric number of counts of one rule, four on average, and the least is kept."""
    n, p, epsilon = 300, Fraction(4, 5), Fraction(1, 40)
    z, mass = noise_law(float(epsilon))
    below = np.cumsum(mass)

    def chance(beta):
        failing = highest_failing(p, n=n, prior=Fraction(1), epsilon=epsilon, beta=beta)
        k = np.arange(n + 1)
        one = below[np.clip(failing - k - z[0], 0, len(z) - 1)] * (failing - k >= z[0])
        none = (1 - one) / 4 / (1 - 3 / 4 * (1 - one))  # sum over T of (1 - one)**T P(T)
        return float((binom.pmf(k, n, float(p)) * (1 - none)).sum())

    assert chance(BETA / 4) <= float(BETA)
    assert chance(BETA) > float(BETA)


def test_the_share_is_a_function_of_public_numbers():
    assert count_share(n=None, epsilon=Fraction(1)) == Fraction(1, 15)
    assert count_share(n=79, epsilon=Fraction(1)) == Fraction(1, 10)
    assert count_share(n=80, epsilon=Fraction(1)) == Fraction(3, 20)
    assert count_share(n=10**6, epsilon=Fraction(1)) == Fraction(1, 20)


@pytest.mark.parametrize("wrong", [True, False])
def test_a_wrong_guess_in_floats_changes_no_bound(monkeypatch, wrong):
    given = [
        {"noisy_mistakes": k, "n": n, "prior": prior, "epsilon": FIFTH, "beta": BETA}
        for k, n in ((0, 30), (3, 200), (100, 1000), (990, 1000))
        for prior in (Fraction(1), Fraction(1, 10**9))
    ]
    bounds = [certified_error(**one) for one in given]
    assert len(set(bounds)) > 4
    monkeypatch.setattr(noisy_count, "_seems_excluded", lambda *_, **__: wrong)
    assert [certified_error(**one) for one in given] == bounds
