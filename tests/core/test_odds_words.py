"""What epsilon means, in per cent: never less than an attacker can reach."""

from decimal import Decimal
from fractions import Fraction
from math import exp

import pytest

from tacit.core.words import _percent_up, belief, caught


def told(words):
    number, unit = words.split()
    assert unit == "%"
    return Fraction(number) / 100


@pytest.mark.parametrize("epsilon", [0.001, 0.2, 1, 2.19722457733622, 5, 7, 8, 50, 800])
def test_beliefs_and_attacks_are_told_in_full(epsilon):
    """A hundred per cent had been told as one: zeros before the point were left out, too."""
    grown = exp(min(epsilon, 700))
    reached = grown / (1 + grown)
    assert reached <= told(belief(Fraction(epsilon))) <= min(1, reached + 0.002)
    for rate in (0.001, 0.01, 0.1):
        reached = min(1, grown * rate, 1 - (1 - rate) / grown)
        stated = told(caught(Fraction(epsilon), Fraction(0), Fraction(str(rate))))
        assert reached - 1e-9 <= stated <= min(1, reached + 0.002)


@pytest.mark.parametrize("share", ["0", "0.0001", "0.009", "0.1", "0.2", "0.732", "0.9", "1", "2"])
def test_every_tenth_of_a_per_cent_is_written_out(share):
    rounded = min(Fraction(-(-Fraction(share) * 1000 // 1), 1000), Fraction(1))
    assert told(_percent_up(Decimal(share))) == rounded
