"""Tests of ``tacit.tallies.counters``."""

from fractions import Fraction

import numpy as np
import pytest
from tests.tallies.tallies_first_cases import BITS, KINDS, Counting, Showing, _data

from tacit.core.resources import Resources, using
from tacit.domains.integers import Integers
from tacit.tallies import counters
from tacit.tallies.arrays import ArrayRecords
from tacit.tallies.counters import FoldedCounter, WideCounter
from tacit.tallies.digits import TakeKeys
from tacit.tallies.ordered import Ordered
from tacit.tallies.reading import Column, Label
from tacit.tallies.scores import CutMistakes


def _counter(records, bits):
    return FoldedCounter(records, Column(0, Integers(bits=bits)), Label(1, True), 1 << bits)


def _levels(counter):
    found = {}
    for stage in Ordered(counter, CutMistakes(0)).stages(Fraction(1, 4)):
        seen = stage.listed.levels()
        for error, count in zip(seen.errors.tolist(), seen.counts.tolist(), strict=True):
            found[error] = found.get(error, 0) + int(count)
    return found


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("bits", [12, BITS, 64])
def test_fixed_passes_are_one_whatever_the_records_are(kind, bits):
    x, y = _data(kind)
    arrays = ArrayRecords((x.astype(np.uint64) % np.uint64(min(1 << bits, (1 << 64) - 1)), y))

    plain, fixed = Counting(arrays), Showing(arrays)
    with using(Resources(fixed_passes=True)):
        sorted_ones = _levels(_counter(fixed, bits))
    assert sorted_ones == _levels(_counter(plain, bits))
    assert len(fixed.passes) == 1


def _alternating(rows, bits):
    """Labels that change from value to value: every value is as good as any other."""
    values = np.sort(np.random.default_rng(4).choice(1 << bits, rows, replace=False))
    return ArrayRecords((values.astype(np.uint64), np.arange(rows) % 2 == 1))


def test_many_records_that_all_matter_are_taken_in_shares(monkeypatch):
    records, bits = _alternating(3000, 24), 24
    whole, parts = Counting(records), Counting(records)
    expected = _levels(_counter(whole, bits))
    monkeypatch.setattr(counters, "_MOST_TAKEN", 1000)
    assert _levels(_counter(parts, bits)) == expected
    assert len(parts.passes) == len(whole.passes) + 2  # 3000 records, a thousand at once
    blocks, _ = _counter(records, bits).first(lambda found, _: np.zeros(len(found), dtype=bool))
    blocks = blocks[~blocks.plain]
    shares = list(_counter(records, bits).shares(blocks))
    assert len(shares) == 3
    assert max(int(share.inside.sum()) for share in shares) <= 1000
    assert np.concatenate([share.starts for share in shares]).tolist() == blocks.starts.tolist()


def test_far_more_records_are_counted_before_any_is_taken(monkeypatch):
    records, bits = _alternating(3000, 24), 24
    counter = _counter(records, bits)
    expected = _levels(counter)
    monkeypatch.setattr(counters, "_MOST_TAKEN", 500)
    blocks, _ = counter.first(lambda found, _: np.zeros(len(found), dtype=bool))
    (all_of_them,) = counter.shares(blocks[~blocks.plain])
    assert len(all_of_them) == int((~blocks.plain).sum())
    assert _levels(counter) == expected


class _Taking(Counting):
    """Tells how many records each pass brought that took some."""

    def fold(self, tally):
        found = self.inner.fold(tally)
        if isinstance(tally, TakeKeys):
            self.passes.append(sum(map(len, [*found.below, *found.above])))
        return found


def test_a_block_of_more_records_than_can_be_held_is_counted_first(monkeypatch):
    values, labels = _alternating(3000, 16).columns
    records, bits = ArrayRecords((values << np.uint64(30), labels)), 60  # in one leading cell
    expected = _levels(_counter(records, bits))
    monkeypatch.setattr(counters, "_MOST_TAKEN", 1000)
    taking = _Taking(records)
    assert _levels(_counter(taking, bits)) == expected
    assert sum(taking.passes) == 3000
    assert max(taking.passes) <= 1000


def test_records_of_wide_values_are_one_share():
    values = np.array([1 << 70, 3], dtype=object)
    counter = WideCounter(values, np.array([True, False]), 1 << 80)
    blocks, _ = counter.first(lambda found, _: np.zeros(len(found), dtype=bool))
    assert [len(share) for share in counter.shares(blocks)] == [len(blocks)]
