"""Tests of ``tacit.tallies.kept``."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tallies.tallies_cases import TALLIES, _batch, _brute, _plain

pytestmark = pytest.mark.property

VALUES = st.one_of(st.integers(0, 12), st.integers(510, 517), st.integers(39990, 40010))

RECORD = st.tuples(VALUES, st.integers(-1, 6), st.integers(0, 1))


@pytest.mark.parametrize("name", TALLIES)
@settings(max_examples=60, deadline=None)
@given(records=st.lists(RECORD, max_size=40), data=st.data())
def test_any_cut_order_and_merge_gives_the_same_integers(name, records, data):
    tally = TALLIES[name]
    whole = _plain(name, tally.add(tally.zero(), _batch(records)))
    shuffled = data.draw(st.permutations(records))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(records)), max_size=5)))
    edges = [0, *cuts, len(records)]
    parts = [tally.add(tally.zero(), _batch(shuffled[a:b])) for a, b in pairwise(edges)]
    while len(parts) > 1:
        right = parts.pop(data.draw(st.integers(0, len(parts) - 1)))
        left = parts.pop(data.draw(st.integers(0, len(parts) - 1)))
        parts.append(tally.merge(left, right))
    assert _plain(name, parts[0]) == whole
    assert _plain(name, tally.merge(tally.zero(), parts[0])) == whole
    brute = _brute(name, records)
    assert brute is None or whole == brute
