"""Binomial tails: never below the true ones, and close to them."""

from fractions import Fraction
from math import comb, exp, log

import pytest

from tacit.bounds.binomial import at_most, log_at_most, noisy_below

P = Fraction(1, 5)


def plain_tail(*, n, p, count):
    return sum(comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(count + 1))


@pytest.mark.parametrize("count", range(9))
def test_a_tail_is_never_below_the_true_one_and_nearly_tight(count):
    true = plain_tail(n=60, p=P, count=count)
    assert true <= at_most(n=60, p=P, count=count) <= true * Fraction(21, 10)


def test_nothing_lies_below_zero_and_everything_below_n():
    assert at_most(n=10, p=P, count=-1) == 0
    assert at_most(n=10, p=P, count=10) == 1


def test_the_logarithm_stands_where_the_tail_itself_is_too_small_for_a_float():
    found = float(log_at_most(n=10**5, p=Fraction(1, 2), count=0))
    assert found == pytest.approx(10**5 * log(0.5), rel=1e-12)


def test_noise_is_summed_over_all_its_values():
    found = noisy_below(n=60, p=P, scale=Fraction(1), threshold=4)
    q = exp(-1)
    true = sum(
        (1 - q) / (1 + q) * q ** abs(z) * plain_tail(n=60, p=0.2, count=min(60, 3 - z))
        for z in range(-60, 4)
    )
    assert true <= found <= 1.2 * true


@pytest.mark.parametrize("threshold", [-3, 0, 1, 9, 40, 80])
@pytest.mark.parametrize("n", [1, 2, 30, 60])
def test_a_noisy_count_is_never_said_to_be_less_likely_below_than_it_is(n, threshold):
    scale = Fraction(5, 2)
    q = exp(-1 / float(scale))
    true = sum(
        (1 - q) / (1 + q) * q ** abs(z) * plain_tail(n=n, p=0.2, count=min(n, threshold - 1 - z))
        for z in range(threshold - n - 200, threshold)
    )
    found = noisy_below(n=n, p=P, scale=scale, threshold=threshold)
    assert true * (1 - 1e-9) <= found <= 5 * true + 1e-20


def test_wide_noise_is_summed_in_few_steps(monkeypatch):
    asked = []
    monkeypatch.setattr(
        "tacit.bounds.binomial.at_most", lambda **given: asked.append(given) or at_most(**given)
    )
    found = noisy_below(n=10**6, p=P, scale=Fraction(2000), threshold=60_000)
    assert found < Fraction(1, 10**6)
    assert found.denominator.bit_length() < 1000
    assert len(asked) < 10_000  # of the 140,000 values that noise of this scale may take
