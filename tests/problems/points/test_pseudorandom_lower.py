"""Tests of ``tacit.problems.points.pseudorandom_lower``."""

from fractions import Fraction as F
from math import log

import pytest
from tests.problems.several.bounds_theorems_cases import A, B, E

from tacit.problems.points import points_upper as points
from tacit.problems.points import pseudorandom_lower as pseudorandom
from tacit.problems.points import pseudorandom_upper as seeds

pytestmark = pytest.mark.exact


def test_theorem_6_1_separates_efficient_from_inefficient():
    cheap = seeds.seeds(seed_bits=16, alpha=A, beta=B, epsilon=E).n
    assert cheap == points.exact_tail(size=2**16, alpha=A, beta=B, epsilon=E).n
    asked = {"alpha": A, "beta": B, "epsilon": E}
    dear = pseudorandom.efficient(bits=10**4, **asked).n
    assert dear > 10 * (10**4 * log(2) + log(9)) > cheap
    weaker = pseudorandom.efficient(bits=10**4, advantage=F(1, 10), **asked).n
    assert weaker < dear
    assert dear <= points.exact_tail(size=2**10000, **asked).n
