"""Tests of ``tacit.tallies.sums``."""

import numpy as np
import pytest
from tests.tallies.tallies_cases import TALLIES, _batch

from tacit.tallies.arrays import ArrayBatch, ArrayRecords

pytestmark = pytest.mark.property


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
