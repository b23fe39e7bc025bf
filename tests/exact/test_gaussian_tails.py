"""The reach of discrete Gaussian noise, against its plain sum."""

from fractions import Fraction
from math import exp

import pytest

from tacit.core import BadInput
from tacit.exact.gaussian_tails import gaussian_reach

pytestmark = pytest.mark.exact


def plain_tail(variance, m):
    weights = [exp(-(z**2) / (2 * variance)) for z in range(-400, 401)]
    return sum(weights[400 + m :]) / sum(weights)


@pytest.mark.parametrize("variance", [1, 7, 50, 900])
@pytest.mark.parametrize("chance", [Fraction(1, 3), Fraction(1, 20), Fraction(1, 10**6)])
def test_the_reach_is_enough_and_at_most_two_too_far(variance, chance):
    m = gaussian_reach(Fraction(variance), chance)
    assert plain_tail(variance, m) <= chance
    assert m <= 3 or plain_tail(variance, m - 3) > chance


@pytest.mark.parametrize(("variance", "chance"), [(0, Fraction(1, 2)), (1, 0), (1, 2)])
def test_what_is_no_variance_or_no_chance_is_refused(variance, chance):
    with pytest.raises(BadInput):
        gaussian_reach(variance, chance)
