"""The bound where the number of records is private, against exact probabilities of failure."""

from fractions import Fraction
from functools import lru_cache
from math import exp

import numpy as np
import pytest
from scipy.stats import binom

from tacit.bounds.upper.noisy_count import certified_error
from tacit.bounds.upper.noisy_rights import certified_by_both
from tacit.core import BadInput

BETA = Fraction(1, 20)
FIFTH = Fraction(1, 5)
EQUAL = [Fraction(1, 10)] * 10


def bound(mistakes, right, *, prior=Fraction(1), epsilon=FIFTH, beta=BETA):
    return certified_by_both(
        noisy_mistakes=int(mistakes),
        noisy_right=int(right),
        prior=prior,
        epsilon=epsilon,
        beta=beta,
    )


@lru_cache
def least_right(p, *, reach, n, prior, epsilon):
    """For noisy mistakes from ``-reach`` to ``n + reach`` the least noisy number of right answers
    whose bound is below ``p``, or more than there can be: it rises with the mistakes.
    """
    found, right = [], -reach
    for mistakes in range(-reach, n + reach + 1):
        while right <= n + reach and bound(mistakes, right, prior=prior, epsilon=epsilon) >= p:
            right += 1
        found.append(right)
    return np.array(found)


def failure(errors, priors, *, n, epsilon, noise=None, opposite=False):
    """The exact chance that the bound of some rule is below its error: independent mistakes.

    ``opposite`` noises: what one number gets, the other loses.
    """
    scale = 1 / float(epsilon if noise is None else noise)
    reach = int(12 * scale) + 2
    z = np.arange(-reach, reach + 1)
    mass = exp(-1 / scale) ** np.abs(z)
    mass /= mass.sum()
    survive = np.ones((len(z), len(z)))
    places = np.arange(n + 1)
    for p, prior in zip(errors, priors, strict=True):
        needed = least_right(p, reach=reach, n=n, prior=prior, epsilon=epsilon)
        for row, first in enumerate(z):
            noisy = needed[places + first + reach] - (n - places)  # rises with the mistakes
            highest = np.searchsorted(noisy, z, side="right") - 1
            survive[row] *= 1 - binom.cdf(highest, n, float(p))
    chances = 1 - survive
    if opposite:
        return float((mass * np.diag(chances[:, ::-1])).sum())
    return float(mass @ chances @ mass)


@pytest.mark.parametrize("n", [12, 60])
@pytest.mark.parametrize("epsilon", [Fraction(1, 4), Fraction(2)])
@pytest.mark.parametrize("priors", [[Fraction(1)], EQUAL], ids=["one", "equal"])
def test_bounds_fail_with_at_most_beta_whatever_the_number_of_records(n, epsilon, priors):
    for p in (Fraction(1, 10), Fraction(2, 5)):
        assert failure([p] * len(priors), priors, n=n, epsilon=epsilon) <= float(BETA)


def test_the_check_rejects_more_noise_than_was_planned_for():
    """The same bound, its numbers with eight times the noise: then it fails too often."""
    given = {"n": 60, "epsilon": Fraction(2)}
    errors = [Fraction(2, 5)] * 10
    assert failure(errors, EQUAL, **given) <= 0.05
    assert failure(errors, EQUAL, noise=Fraction(1, 4), **given) > 0.06
    # Nor is the bound idle: one rule alone uses a part of beta.
    assert failure(errors[:1], [Fraction(1)], **given) > 0.004


def test_noise_that_hides_mistakes_among_right_answers_is_covered():
    """The two noises may depend on each other: here one takes what the other gives."""
    given = {"n": 60, "epsilon": Fraction(1, 4), "opposite": True}
    assert 0 < failure([Fraction(2, 5)], [Fraction(1)], **given) <= float(BETA)


def test_it_rises_with_mistakes_and_falls_with_right_answers_priors_and_epsilon():
    found = [bound(m, 500) for m in range(-30, 120, 10)]
    assert found == sorted(found)
    assert found[0] == found[1] < found[-1]
    found = [bound(30, r) for r in range(-10, 2000, 90)]
    assert found == sorted(found, reverse=True)
    assert found[0] == 1 > found[-1]
    for name, values in (("prior", (Fraction(1, 10**6), 1)), ("epsilon", (FIFTH, 1))):
        low, high = (bound(30, 500, **{name: Fraction(value)}) for value in values)
        assert low > high


def test_it_is_a_little_above_what_a_public_number_of_records_proves():
    """At a prior of e^-10: 14.65 instead of 13.04 per cent of 569, and nearly the same of many."""
    for n, most in ((569, Fraction(17, 1000)), (50_000, Fraction(1, 1000))):
        k = 30 * n // 569
        given = {"prior": Fraction(exp(-10)), "epsilon": FIFTH, "beta": BETA}
        known = certified_error(noisy_mistakes=k, n=n, **given)
        assert known < bound(k, n - k, prior=given["prior"]) < known + most


def test_wrong_parameters_are_refused():
    for wrong in ({"prior": Fraction(0)}, {"epsilon": Fraction(0)}, {"beta": Fraction(1)}):
        with pytest.raises(BadInput):
            bound(1, 10, **wrong)
