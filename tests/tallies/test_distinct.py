"""Distinct values are counted in a table; records that come in batches are never held."""

import numpy as np
import pytest

from tacit.core import Sample
from tacit.core.resources import Resources, using
from tacit.domains.integers import Integers
from tacit.tallies import distinct as module
from tacit.tallies.arrays import ReadBatch
from tacit.tallies.distinct import (
    DistinctCells,
    OfLabels,
    Ranked,
    Repeated,
    counted,
    distinct,
    distinct_labelled,
    features,
    fits_a_table,
)
from tacit.tallies.placed import placed


class _Odd(OfLabels):
    """The values of the positive records."""

    def coerce(self, data, /):
        return np.asarray(data.x)[np.asarray(data.y, dtype=bool)].astype(object)


def _made_up(rows, kind, seed=3):
    generator = np.random.default_rng(seed)
    x = generator.integers(0, 40, rows).astype(np.uint64)
    if kind is object:
        x = np.array([int(value) << 70 for value in x.tolist()], dtype=object)
    return x, generator.integers(0, 2, rows).astype(bool)


@pytest.mark.parametrize("bits", [8, 80])
@pytest.mark.parametrize("rows", [0, 1, 999])
def test_batches_give_what_arrays_give(bits, rows):
    domain = Integers(bits=bits)
    x, y = _made_up(rows, object if bits > 64 else np.uint64)
    whole, batches = Sample(x, y, positive=True), Repeated(x, y, np.ones(rows, dtype=np.int64))
    for found, wanted in (
        (distinct(batches, domain), distinct(x, domain)),
        (distinct_labelled(batches, domain), distinct_labelled(whole, domain)),
        (distinct(batches, _Odd()), distinct(whole, _Odd())),
    ):
        assert [part.tolist() for part in found] == [part.tolist() for part in wanted]
    values, counts = distinct(x, domain)
    assert values.tolist() == sorted(set(x.tolist()))
    assert counts.sum() == rows
    assert features(batches) is batches
    assert features(whole) is x


@pytest.mark.parametrize("cells", [[0], [3, 0, 3, 1], [5, 5], [2**64 - 1, 0, 2], [0] * 9 + [8]])
def test_counting_by_a_table_gives_what_sorting_gives(cells):
    """Cells below the number of records are counted in a table, all others are sorted."""
    words = np.array(cells, dtype=np.uint64)
    labels = np.arange(len(cells)) % 2 == 0
    for told in (None, labels):
        values, counts = counted(words, told)
        wanted, listed = counted(words.astype(object), told)
        assert values.dtype == np.uint64
        assert counts.dtype == np.int64
        assert values.tolist() == wanted.tolist()
        assert counts.tolist() == listed.tolist()


def test_a_long_table_is_merged_on_the_way(monkeypatch):
    monkeypatch.setattr(module, "_FEW", 8)
    tally, x = DistinctCells(Integers(bits=16)), np.arange(1000, dtype=np.uint64) % 300
    counter, most = tally.zero(), 0
    for start in range(0, 1000, 10):
        counter = tally.add(counter, ReadBatch((x[start : start + 10], None), 10))
        most = max(most, sum(len(values) for values, _ in counter.parts))
    values, counts = counter.table()
    assert values.tolist() == list(range(300))
    assert counts.tolist() == [np.bincount(x.astype(int)).tolist()]
    assert most <= 3 * 300
    assert len(counter.parts) == 1
    assert "private" in repr(counter)


@pytest.mark.parametrize("labelled", [False, True])
def test_parts_without_a_batch_add_nothing(labelled):
    """A partition may be empty: its counter is the zero, which merges with any other."""
    tally = DistinctCells(Integers(bits=4), labelled)
    none = tally.merge(tally.zero(), tally.merge(tally.zero(), tally.zero()))
    assert none.table() is None
    batch = ReadBatch((np.array([3, 1, 3]), np.array([True, False, False])), 3)
    both = tally.merge(tally.add(tally.zero(), batch), none)
    assert tally.merge(none, both).table()[0].tolist() == [1, 3]


def test_equal_records_are_shown_as_often_as_they_are_counted(monkeypatch):
    monkeypatch.setattr(module, "_AT_ONCE", 4)
    rows = Repeated(np.array([5, 7, 9]), np.array([True, False, True]), np.array([6, 0, 3]))
    cells, labels = placed(rows, Integers(bits=4))
    assert cells.tolist() == [5] * 6 + [9] * 3
    assert labels.all()
    assert len(rows) == 9
    assert rows.x.tolist() == cells.tolist()
    assert rows.y.tolist() == labels.tolist()
    assert "private" in repr(rows)


def test_a_record_is_found_by_its_rank():
    ranked = Ranked.of(np.array([2, 5], dtype=np.uint64), np.array([3, 1]))
    assert [ranked[rank] for rank in range(len(ranked))] == [2, 2, 2, 5]
    assert len(Ranked.of(np.empty(0), np.empty(0, dtype=np.int64))) == 0
    assert "private" in repr(ranked)


def test_public_numbers_say_whether_a_table_is_small():
    assert fits_a_table(None, 1 << 16)
    assert fits_a_table(1000, 1 << 64)
    assert not fits_a_table(10**8, 1 << 64)
    assert not fits_a_table(None, 1 << 64)
    with using(Resources(memory=64 << 20)):
        assert fits_a_table(10**5, 1 << 64)
        assert not fits_a_table(10**6, 1 << 64)
        assert not fits_a_table(10**5, 1 << 1000)  # each value is an integer of 160 bytes
        assert fits_a_table(10**4, 1 << 1000)
