"""Tests of ``tacit.problems.thresholds.staircase``."""

from itertools import combinations_with_replacement
from math import comb

import pytest

from tacit.problems.thresholds.staircase import multiset

pytestmark = pytest.mark.exact


@pytest.mark.parametrize(("length", "size"), [(1, 0), (1, 4), (3, 3), (5, 2)])
def test_multisets_by_rank(length, size):
    ranks = range(comb(length + size - 1, size))
    listed = [tuple(multiset(rank, length, size)) for rank in ranks]
    assert sorted(listed) == list(combinations_with_replacement(range(length), size))
