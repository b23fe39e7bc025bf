"""Tests of ``tacit.problems.parities.joint_parities_upper``."""

from fractions import Fraction as F

import pytest

from tacit.problems.finite import sanitizers_lower as sanitizers
from tacit.problems.finite import sanitizers_upper as upper_sanitizers
from tacit.problems.parities import joint_parities_upper as joint_parities
from tacit.problems.parities import parities_lower as parities
from tacit.problems.points import points_lower as lower_points
from tacit.problems.points import points_upper as points
from tacit.problems.thresholds import thresholds_lower as lower_thresholds
from tacit.problems.thresholds import thresholds_upper as thresholds

pytestmark = pytest.mark.property


def test_certified_ratios_at_64_bits():
    asked = {"alpha": F(1, 10), "beta": F(1, 10), "epsilon": F(1)}
    upper = points.exact_tail(size=2**64, **asked, selector="permute-and-flip").n
    assert upper / lower_points.rare_point(size=2**64, **asked).n <= 2.0
    upper = thresholds.exact_tail(size=2**64 + 1, **asked, selector="permute-and-flip").n
    assert upper / lower_thresholds.rare_pair(domain_size=2**64, **asked).n <= 4.1
    for k in (1, 100):
        upper = joint_parities.exact_recovery(bits=64, k=k, beta=F(1, 10), epsilon=F(1)).n
        assert upper / parities.relabelled(bits=64, k=k, **asked).n <= 2.2
    upper = upper_sanitizers.pure_histogram(domain_size=2**64, **asked).n
    assert upper / sanitizers.planted_value(domain_size=2**64, **asked).n <= 4.7
