"""Tests of ``tacit.bounds.lower.representations``."""

from fractions import Fraction as F
from itertools import combinations
from math import ceil, log

import pytest

from tacit.bounds.lower import representations
from tacit.problems.thresholds import thresholds_lower as lower_thresholds

pytestmark = pytest.mark.exact


def test_lemma_3_10_no_two_hypotheses_represent_eight_points():
    assert representations.representation_size(bits=3) == 3
    size, functions = 8, range(256)
    for pair in combinations(functions, 2):
        patterns = [tuple((h >> x) & 1 for h in pair) for x in range(size)]
        x, y = next((x, y) for x, y in combinations(range(size), 2) if patterns[x] == patterns[y])
        # The target is x, the distribution uniform on x and y: every hypothesis errs on half.
        assert all(((h >> x) & 1) == ((h >> y) & 1) for h in pair)


def test_theorem_3_6_is_its_formula():
    n = representations.minimal(size=1001, beta=F(1, 4), epsilon=F(1, 2)).n
    assert n == ceil(2 * log(1000 * 3))


def test_lemma_5_2_is_theorem_3_6_for_thresholds():
    got = lower_thresholds.one_border_each(size=1001, beta=F(1, 4), epsilon=F(1, 2)).n
    assert got == representations.minimal(size=1001, beta=F(1, 4), epsilon=F(1, 2)).n
