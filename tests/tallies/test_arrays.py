"""Tests of ``tacit.tallies.arrays``."""

import numpy as np

from tacit.tallies.arrays import ArrayRecords


def test_a_glimpse_of_an_array_takes_records_from_all_over_it():
    x = np.arange(1 << 21)
    seen = ArrayRecords((x,)).glimpse(_Values())
    assert len(seen) >= 1 << 15
    assert np.diff(seen).max() <= 64
    assert ArrayRecords((x[:1000],)).glimpse(_Values()) is None


class _Values:
    def zero(self):
        return np.empty(0, dtype=np.int64)

    def add(self, counter, batch):
        return np.concatenate([counter, batch.column(0)])
