"""Tests of ``tacit.problems.finite.shapes_lower``."""

from fractions import Fraction as F

import pytest
from scipy.stats import binom
from tests.problems.several.bounds_theorems_cases import A, E

from tacit.core import BadInput
from tacit.problems.finite import shapes_lower as shapes
from tacit.problems.points import points_upper as points
from tacit.problems.thresholds import thresholds_lower as lower_thresholds

pytestmark = pytest.mark.exact


def test_shapes_by_the_direct_argument():
    """What the printed reductions lose: they give 1 in the first row and 104 in the last."""
    light = {(64, 1): 748, (64, 2**32): 337, (256, 256): 3201, (1000, 256): 13328}
    switches = {(64, 1): 375, (64, 2**32): 169, (256, 256): 1603, (1000, 256): 6669}
    for (bits, few), n in light.items():
        assert shapes.light_answers(bits=bits, weight=few, alpha=A, epsilon=E).n == n
    for (bits, few), n in switches.items():
        assert shapes.few_switches(bits=bits, switches=few, alpha=A, epsilon=E).n == n
    # Not above what a proper learner needs, whose answers have one 1, at the same failure.
    asked = {"alpha": A / 2, "epsilon": E}
    upper = points.exact_tail(size=2**64, beta=F(1, 4), **asked).n
    assert shapes.light_answers(bits=64, weight=1, alpha=A, epsilon=E).n <= upper


def test_theorem_5_8_noise_stays_below_alpha():
    got = shapes.independent_noise(bits=20, alpha=F(1, 100), beta=F(1, 5), epsilon=E)
    least = lower_thresholds.rare_pair(
        domain_size=2**20, alpha=F(1, 100), beta=F(241, 1000), epsilon=E
    )
    assert got.n == least.n > 500
    with pytest.raises(BadInput):
        shapes.independent_noise(bits=20, alpha=F(1, 4), beta=F(1, 5), epsilon=E)
    # With more noise than that, so small an error is too unlikely.
    mu, size = 0.02, 2**12
    assert binom.cdf(int(0.01 * size), size, mu) < 0.8
