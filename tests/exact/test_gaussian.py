"""Tests of ``tacit.exact.gaussian``."""

from fractions import Fraction
from math import exp

import numpy as np
import pytest
from tests.exact.sanitizers_laws_cases import SOME
from tests.tools.levels import accepts

from tacit.checks.testing import seeded
from tacit.exact.gaussian import discrete_gaussian, discrete_gaussians

pytestmark = pytest.mark.statistical

MANY = 300_000


def _gauss(variance, reach):
    weights = [exp(-z * z / (2 * variance)) for z in range(-reach, reach + 1)]
    return [w / sum(weights) for w in weights]


@pytest.mark.parametrize("variance", [Fraction(1, 3), Fraction(1), Fraction(9, 2), Fraction(100)])
def test_discrete_gaussian_noise(variance):
    reach = 8 * int(float(variance) ** 0.5 + 1)
    size = 2 * reach + 1
    many = discrete_gaussians(seeded(f"gauss {variance}"), variance, MANY)
    rng = seeded(f"one {variance}")
    few = np.array([discrete_gaussian(rng, variance) for _ in range(SOME)])
    for drawn in (many, few):
        seen = np.bincount(np.clip(drawn, -reach, reach) + reach, minlength=size)
        assert accepts(seen, _gauss(float(variance), reach))
        assert not accepts(seen, _gauss(float(variance) * 0.8, reach))
        assert not accepts(seen, _gauss(float(variance) * 1.25, reach))
