"""Counting by error: no overflow, no rounding, every candidate named once."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.checks.testing import seeded
from tacit.exact.landscape import Flat, Grouped, Scattered, tally
from tacit.exact.levels import Levels, choose_level, exact_sum

pytestmark = pytest.mark.property

WORDS = st.one_of(
    st.integers(0, 5),
    st.integers(0, 2**64 - 1),
    st.sampled_from([2**22 - 1, 2**22, 2**44, 2**53 - 1, 2**53, 2**63, 2**64 - 1]),
)

BIG = st.one_of(st.integers(0, 5), st.integers(2**64 - 3, 2**64 + 3), st.integers(0, 2**1001))


def _plain(errors, sizes):
    counts = {}
    for error, size in zip(errors, sizes, strict=True):
        if size:
            counts[error] = counts.get(error, 0) + size
    return sorted(counts.items())


def _check(errors, sizes, kind):
    levels = tally(np.array(errors, dtype=np.int64), np.array(sizes, dtype=kind))
    found = [(int(e), int(c)) for e, c in zip(levels.errors, levels.counts, strict=True)]
    assert found == _plain(errors, sizes)
    assert levels.total == sum(sizes)
    assert levels.errors.dtype == np.int64


SPANS = st.one_of(st.integers(-3, 3), st.integers(-(2**61), 2**61))


@given(st.lists(st.tuples(SPANS, WORDS), min_size=1, max_size=60))
def test_words_are_added_exactly(groups):
    errors, sizes = zip(*groups, strict=True)
    if any(sizes):
        _check(errors, sizes, np.uint64)


@given(st.lists(st.tuples(SPANS, BIG), min_size=1, max_size=30))
def test_integers_of_any_length_are_added_exactly(groups):
    errors, sizes = zip(*groups, strict=True)
    if any(sizes):
        _check(errors, sizes, object)


@pytest.mark.parametrize("size", [2**64 - 1, 2**53 - 1, 2**44 + 1])
def test_many_full_words_do_not_overflow(size):
    sizes = [size] * 5000
    _check([i % 3 for i in range(5000)], sizes, np.uint64)


@given(st.lists(st.one_of(WORDS, st.just(2**64 - 1)), max_size=200))
def test_exact_sum(words):
    assert exact_sum(np.array(words, dtype=np.uint64)) == sum(words)
    assert exact_sum(np.array(words, dtype=object)) == sum(words)


@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 6)), min_size=1, max_size=15),
    st.sampled_from([0, 2**63, 2**64, 2**1000]),
)
def test_members_are_named_once_each(groups, base):
    errors, sizes = map(list, zip(*groups, strict=True))
    if not any(sizes):
        sizes[0] = 1
    kind = np.uint64 if base < 2**63 else object
    starts = [base + sum(sizes[:g]) for g in range(len(sizes))]
    grouped = Grouped(
        errors=np.array(errors, dtype=np.int64),
        sizes=np.array(sizes, dtype=kind),
        starts=np.array(starts, dtype=kind),
    )
    levels, named = grouped.levels(), {}
    for error, count in zip(levels.errors.tolist(), levels.counts.tolist(), strict=True):
        for rank in range(int(count)):
            named.setdefault(grouped.member(error, rank), []).append(error)
    owner = [e for e, s in zip(errors, sizes, strict=True) for _ in range(s)]
    assert named == {base + place: [error] for place, error in enumerate(owner)}


@pytest.mark.parametrize("size", [2**62, 2**63 - 1, 2**64 - 1])
def test_members_of_groups_near_the_word_limit(size):
    grouped = Grouped(
        errors=np.zeros(3, dtype=np.int64),
        sizes=np.array([size, 1, size], dtype=np.uint64),
        starts=np.array([0, 5, 7], dtype=np.uint64),
    )
    assert grouped.levels().total == 2 * size + 1
    assert grouped.member(0, size - 1) == size - 1
    assert grouped.member(0, size) == 5
    assert grouped.member(0, size + 1) == 7
    assert grouped.member(0, 2 * size) == 7 + size - 1


@given(
    st.lists(st.one_of(st.integers(-5, 5), st.integers(-(2**61), 2**61)), min_size=1, max_size=60)
)
def test_flat_landscapes_count_positions(errors):
    flat = Flat(np.array(errors, dtype=np.int64))
    levels = flat.levels()
    found = dict(zip(levels.errors.tolist(), levels.counts.tolist(), strict=True))
    assert found == {error: errors.count(error) for error in errors}
    for error in found:
        ranks = [flat.member(error, rank) for rank in range(found[error])]
        assert ranks == [place for place, e in enumerate(errors) if e == error]


@settings(max_examples=50)
@given(
    st.lists(st.tuples(st.integers(0, 2000), st.integers(1, 2**1000)), min_size=1, max_size=8),
    st.fractions(min_value=Fraction(1, 1000), max_value=10),
    st.integers(0, 2**32),
)
def test_any_levels_give_a_level(groups, rate, seed):
    merged = sorted(dict(groups).items())
    errors, counts = zip(*merged, strict=True)
    levels = Levels(np.array(errors, dtype=np.int64), np.array(counts, dtype=object))
    assert 0 <= choose_level(seeded(seed), levels, rate=rate) < len(merged)


def test_nothing_private_is_printed():
    flat = Flat(np.array([41]))
    grouped = Grouped(errors=np.array([41]), sizes=np.array([1]), starts=np.array([41]))
    assert "41" not in repr(flat) + repr(grouped) + repr(flat.levels())


@pytest.mark.parametrize("wide", [False, True])
def test_parts_name_the_candidates_of_one_list(wide):
    top = (1 << 64) - 9 if wide else 90
    one = Grouped(np.array([2, 1]), _words(3, 2), _words(top, 0))
    other = Grouped(np.array([1, 2, 5]), _words(1, 4, 2), _words(5, 30, 60))
    edge = Grouped(np.array([1]), _words(1), _words(0))
    found = Scattered(((one, 7), (other, 7), (edge, 0)))
    listed = {1: [0, 7, 8, 12], 2: [37, 38, 39, 40, top + 7, top + 8, top + 9], 5: [67, 68]}
    levels = found.levels()
    assert levels.errors.tolist() == [1, 2, 5]
    assert levels.counts.tolist() == [len(each) for each in listed.values()]
    for error, each in listed.items():
        assert [found.member(error, rank) for rank in range(len(each))] == each
    assert Scattered(((other, 0),)).levels().counts.tolist() == [1, 4, 2]
    assert "private" in repr(found)


def _words(*values):
    return np.array(values, dtype=np.uint64)
