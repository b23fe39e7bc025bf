"""The mechanisms draw from the laws that the exact tests judge, and from no others."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from tests.mechanisms.b20_samplers_cases import check
from tests.tools.b20_laws import prefix_law, top_law

from tacit.checks.testing import seeded
from tacit.domains import Integers
from tacit.mechanisms.stability import StabilityHistogram, StableMostFrequent
from tacit.mechanisms.stable_prefix import StablePrefix

pytestmark = pytest.mark.statistical


def test_top_of_a_stability_histogram():
    data = [0] * 3 + [1] * 2 + [3]
    histogram = StabilityHistogram(
        domain=Integers(size=4), epsilon=Fraction(1), delta=Fraction(1, 4)
    )
    wrong = [replace(histogram, epsilon=e) for e in (Fraction(4, 5), Fraction(5, 4))]
    mechanism = StableMostFrequent(histogram=histogram)
    check(
        lambda rng: mechanism._release(np.array(data), rng=rng),
        top_law(histogram, data),
        *(top_law(other, data) for other in wrong),
    )


def test_released_counts_are_noisy_counts():
    histogram = StabilityHistogram(
        domain=Integers(bits=64), epsilon=Fraction(1), delta=Fraction(1, 10**6)
    )
    data = np.repeat(np.array([5, 2**64 - 1, 9], dtype=np.uint64), [1000, 2000, 3])
    pairs = histogram._release(data, rng=seeded(1))
    assert [value for value, _ in pairs] == [5, 2**64 - 1]
    assert abs(pairs[0][1] - 1000) < 60
    assert abs(pairs[1][1] - 2000) < 60


@pytest.mark.parametrize("data", [[0, 1, 3, 3, 3], [1, 1, 2, 2, 2, 2]])
def test_stable_prefix(data):
    mechanism = StablePrefix(
        domain=Integers(size=4),
        epsilon_length=Fraction(1),
        epsilon_prefix=Fraction(2),
        epsilon_side=Fraction(1),
        delta=Fraction(1, 5),
        low=1,
        high=5,
    )
    wrong = [replace(mechanism, epsilon_prefix=e) for e in (Fraction(3, 2), Fraction(3))]
    check(
        lambda rng: mechanism._release(np.array(data), rng=rng),
        prefix_law(mechanism, data),
        *(prefix_law(other, data) for other in wrong),
    )
