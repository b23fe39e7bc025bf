"""The coins' exact probabilities, by following every answer their randomness can give."""

from fractions import Fraction

import pytest

from tacit.checks.testing import law_of
from tacit.exact.balls import at, ball
from tacit.exact.coins import bernoulli, bernoulli_exp

pytestmark = pytest.mark.exact


@pytest.mark.parametrize("p", [Fraction(0), Fraction(2, 7), Fraction(5, 8), Fraction(1)])
def test_a_rational_coin_has_exactly_its_probability(p):
    masses, left = law_of(lambda rng: bernoulli(rng, p))
    assert left == 0
    assert masses.get(True, 0) == p


@pytest.mark.parametrize(
    "x", [Fraction(0), Fraction(1, 3), Fraction(1), Fraction(5, 4), Fraction(2)]
)
def test_the_exponential_coin_has_probability_exp_minus_x(x):
    masses, left = law_of(lambda rng: bernoulli_exp(rng, x), least=Fraction(1, 10**7))
    assert left < Fraction(1, 10**4)
    with at(200):
        truth = (-ball(x)).exp()
        low, high = ball(masses.get(True, Fraction(0))), ball(masses.get(True, Fraction(0)) + left)
        assert not truth < low
        assert not truth > high
        # The bracket is narrow enough to tell a rate that is one part in a hundred off.
        if x:
            assert (-ball(x * Fraction(101, 100))).exp() < low
            assert (-ball(x * Fraction(99, 100))).exp() > high


def test_a_huge_exponent_ends_at_once():
    from tacit.checks.testing import seeded

    rng = seeded(1)
    assert not any(bernoulli_exp(rng, Fraction(10**30)) for _ in range(50))
