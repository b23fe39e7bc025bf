"""Tallies are commutative monoids: how records are cut, ordered and merged changes nothing."""

from collections import Counter
from copy import deepcopy
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.core.tally import fold
from tacit.domains.integers import Integers
from tacit.tallies.arrays import ArrayBatch, ArrayRecords
from tacit.tallies.counts import HashedCounts, JointCounts
from tacit.tallies.digits import InsideCounts, LeadingCounts, Spans, TakeInside, TakeKeys
from tacit.tallies.first import FEW, FirstPass
from tacit.tallies.kept import CollectedRecords, DistinctCounts, mixed
from tacit.tallies.reading import Column, Label
from tacit.tallies.sums import Sums

SMALL = Integers(size=5)
WORDS = Integers(bits=16)
LABEL = Label(2)


class _Low:
    """The lowest three bits."""

    def __call__(self, values):
        return values & np.uint64(7)


class _Value:
    top = 1 << 61

    def values(self, batch):
        return np.asarray(batch.column(0)).astype(np.int64) << 46


SPANS = Spans.of(
    np.array([8, 512, 40000], dtype=np.uint64), np.array([11, 515, 40003], dtype=np.uint64), bits=16
)
TALLIES = {
    "leading": LeadingCounts(Column(0, WORDS), LABEL, 10, 64),
    "inside": InsideCounts(
        Column(0, WORDS),
        LABEL,
        SPANS,
        np.array([0, 1, 2], dtype=np.uint64),
        np.array([4, 2, 1]),
    ),
    "taken": TakeInside(Column(0, WORDS), LABEL, SPANS),
    "keys": TakeKeys(Column(0, WORDS), LABEL, SPANS, 514),
    "few": FirstPass(Column(0, WORDS), LABEL, 10, 64, few=True),
    "kept": FirstPass(
        Column(0, WORDS), LABEL, 10, 64, kept=(np.arange(64) == 0).astype(np.uint8), most=9
    ),
    "one column": JointCounts((Column(1, SMALL),), (5,)),
    "joint": JointCounts((Column(1, SMALL), Column(2, Integers(size=2))), (5, 2), LABEL),
    "hashed": HashedCounts(Column(0, WORDS), _Low(), 8, LABEL),
    "distinct": DistinctCounts(Column(0, WORDS), 7, LABEL, key=3),
    "collected": CollectedRecords((Column(0, WORDS), Column(1, SMALL)), 6, LABEL, key=1),
    "sums": Sums((_Value(),)),
}

VALUES = st.one_of(st.integers(0, 12), st.integers(510, 517), st.integers(39990, 40010))
RECORD = st.tuples(VALUES, st.integers(-1, 6), st.integers(0, 1))


def _batch(records):
    columns = tuple(np.array([r[i] for r in records], dtype=np.int64) for i in range(3))
    return ArrayBatch(columns, 0, len(records))


def _plain(name, counter):
    """The counter as something to compare."""
    if name in ("leading", "inside", "hashed"):
        return counter.counts().tolist()
    if name == "taken":
        values, labels = counter.all()
        return sorted(zip(values.tolist(), labels.tolist(), strict=True))
    if name == "keys":
        keys = counter.sorted().tolist()
        assert keys == sorted(keys)
        return [(key >> 1, bool(key & 1)) for key in keys]
    if name in ("few", "kept"):
        counts, held = TALLIES[name].found(deepcopy(counter))
        return counts.tolist(), held and (held.values.tolist(), held.inside.tolist())
    if name == "distinct":
        return counter.values.tolist(), counter.counts.tolist(), counter.complete
    return counter if isinstance(counter, tuple) else counter.tolist()


def _brute(name, records):
    match name:
        case "leading":
            seen = Counter((x >> 10, y) for x, _, y in records)
            return [[seen[c, y] for c in range(64)] for y in (0, 1)]
        case "inside":
            cells = {}
            for start, shift, first in ((8, 0, 0), (512, 1, 4), (40000, 2, 6)):
                cells |= {start + i: first + (i >> shift) for i in range(4)}
            seen = Counter((cells[x], y) for x, _, y in records if x in cells)
            return [[seen[c, y] for c in range(7)] for y in (0, 1)]
        case "taken":
            inside = {*range(8, 12), *range(512, 516), *range(40000, 40004)}
            return sorted((x, bool(y)) for x, _, y in records if x in inside)
        case "keys":
            return _brute("taken", records)
        case "few" | "kept":
            some = [(x, y) for x, _, y in records if name == "few" or x < 1024]
            values = sorted({x for x, _ in some})
            seen = Counter(some)
            held = values, [[seen[x, y] for x in values] for y in (0, 1)]
            return _brute("leading", records), None if name == "kept" and len(some) > 9 else held
        case "one column":
            seen = Counter(min(max(z, 0), 4) for _, z, _ in records)
            return [seen[c] for c in range(5)]
        case "joint":
            seen = Counter((min(max(z, 0), 4), y) for _, z, y in records)
            return [[[seen[c, d] * (d == y) for y in (0, 1)] for d in (0, 1)] for c in range(5)]
        case "hashed":
            seen = Counter((x & 7, y) for x, _, y in records)
            return [[seen[c, y] for c in range(8)] for y in (0, 1)]
        case "distinct":
            ranks = {x: int(mixed(np.array([x], dtype=np.uint64), 3)[0]) for x, _, _ in records}
            kept = sorted(ranks, key=ranks.get)[:7]
            seen = Counter((x, y) for x, _, y in records)
            return kept, [[seen[x, y] for x in kept] for y in (0, 1)], len(ranks) <= 7
        case "collected":
            return None
        case "sums":
            return len(records), sum(min(x << 46, 1 << 61) for x, _, _ in records)


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


@pytest.mark.parametrize("name", TALLIES)
def test_adding_commutes_with_merging(name):
    tally = TALLIES[name]
    generator = np.random.default_rng(5)
    batches = [
        _batch([(int(x), int(z), int(y)) for x, z, y in zip(
            generator.integers(0, 600, 30), generator.integers(-1, 7, 30),
            generator.integers(0, 2, 30), strict=True)])
        for _ in range(3)
    ]  # fmt: skip
    one = fold(batches, tally)
    two = tally.merge(fold(batches[:1], tally), fold(batches[1:], tally))
    three = tally.add(tally.merge(fold(batches[2:], tally), fold(batches[:1], tally)), batches[1])
    assert _plain(name, one) == _plain(name, two) == _plain(name, three)


def test_replacing_a_record_replaces_at_most_one_that_is_kept():
    tally = TALLIES["collected"]
    generator = np.random.default_rng(2)
    changed = 0
    for _ in range(200):
        records = [tuple(int(v) for v in generator.integers(0, (9, 5, 2))) for _ in range(10)]
        other = [tuple(int(v) for v in generator.integers(0, (9, 5, 2))), *records[1:]]
        kept, also = (
            Counter(map(tuple, tally.add(tally.zero(), _batch(r)).tolist()))
            for r in (records, other)
        )
        assert sum(kept.values()) == sum(also.values()) == 6
        assert sum((kept - also).values()) <= 1
        changed += kept != also
    assert changed > 20


@pytest.mark.parametrize("name", TALLIES)
def test_arrow_batches_and_threads_count_the_same(name, monkeypatch):
    import tacit.tallies.arrays as arrays

    monkeypatch.setattr(arrays, "_SERIAL", 100)
    monkeypatch.setattr(arrays, "usable_threads", lambda: 3)
    generator = np.random.default_rng(7)
    columns = tuple(generator.integers(0, top, 5000) for top in (50000, 5, 2))
    tally = TALLIES[name]
    threads = ArrayRecords(columns, rows=97).fold(tally)
    alone = tally.add(tally.zero(), ArrayBatch(columns, 0, 5000))
    table = pa.table([pa.array(c) for c in columns], names=["a", "b", "c"])
    arrow = fold(table.to_batches(max_chunksize=333), tally)
    assert _plain(name, threads) == _plain(name, alone) == _plain(name, arrow)


def test_words_are_emptied_before_they_overflow(monkeypatch):
    import tacit.tallies.digits as digits

    monkeypatch.setattr(digits, "_FULL", 100)
    tally = TALLIES["leading"]
    batch = ArrayBatch(tuple(np.zeros(60, dtype=np.int64) for _ in range(3)), 0, 60)
    counter = tally.zero()
    for _ in range(7):
        counter = tally.add(counter, batch)
        assert counter.words.sum() < 200
    assert counter.counts().sum() == counter.counts()[0, 0] == 420


def test_a_counter_shows_nothing():
    counter = TALLIES["taken"].add(TALLIES["taken"].zero(), _batch([(8, 0, 1)]))
    for name in ("leading", "inside", "hashed", "taken", "distinct"):
        assert "private" in repr(TALLIES[name].zero())
    assert "8" not in repr(counter)
    assert "private" in repr(ArrayRecords((np.arange(3),)))
    assert "private" in repr(_batch([]))


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
