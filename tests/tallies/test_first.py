"""Tests of ``tacit.tallies.first``."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from tests.tallies.tallies_cases import TALLIES, _batch, _brute, _plain

from tacit.tallies.first import FEW, _Few

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


@pytest.mark.parametrize("values", [[4], [4, 4, 9], [9, 4, 9, 4], [4, 9, 7], [7, 7, 7, 8, 9]])
def test_two_values_are_counted_by_comparing(values):
    """And a third one, now or in a later batch, is counted by the table."""
    some = np.array(values, dtype=np.uint64)
    labels = np.arange(len(some)) % 2 == 0
    few = _Few()
    for _ in range(3):
        assert few.add(some, labels.view(np.uint8)) == len(some)
    assert few.add(np.array([2, 4], dtype=np.uint64), np.array([1, 0], dtype=np.uint8)) == 2
    assert few.add(np.empty(0, dtype=np.uint64), np.empty(0, dtype=np.uint8)) == 0
    seen = Counter((int(v), bool(y)) for v, y in zip(some, labels, strict=True) for _ in range(3))
    seen += Counter({(2, True): 1, (4, False): 1})
    found, inside = few.sorted()
    assert found.tolist() == sorted({value for value, _ in seen})
    assert inside.tolist() == [[seen[int(v), y] for v in found] for y in (False, True)]
