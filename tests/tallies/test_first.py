"""Tests of ``tacit.tallies.first``."""

from itertools import pairwise

import numpy as np
import pytest
from tests.tallies.tallies_cases import TALLIES, _batch, _brute, _plain

from tacit.tallies.first import FEW

pytestmark = pytest.mark.property


@pytest.mark.parametrize("cuts", [(), (100,), (100, 150), (200, 210)])
def test_more_than_a_few_values_are_counted_by_leading_bits(cuts):
    tally = TALLIES["few"]
    values = np.arange(3 * FEW // 2) * 7 % 1024 * 61
    records = [(int(x), 0, int(x) & 1) for x in [*values, *values[:60]]]
    edges = [0, *cuts, len(records)]
    parts = [tally.add(tally.zero(), _batch(records[a:b])) for a, b in pairwise(edges)]
    for first in parts[1:]:
        parts[0] = tally.merge(parts[0], first)
    assert _plain("few", parts[0]) == (_brute("leading", records), None)


def test_exactly_a_few_values_are_held_after_any_merge():
    tally = TALLIES["few"]
    records = [(x * 97, 0, x % 3 == 0) for x in range(FEW)] * 2
    left = tally.add(tally.zero(), _batch(records[: FEW + 9]))
    right = tally.add(tally.zero(), _batch(records[FEW + 9 :]))
    both = tally.merge(right, left)
    assert _plain("few", both) == _brute("few", records)
    one_more = tally.add(tally.zero(), _batch([(60000, 0, 1)]))
    assert _plain("few", tally.merge(both, one_more))[1] is None
