"""Tests of ``tacit.core.tally``."""

import numpy as np
import pyarrow as pa
import pytest
from tests.tallies.tallies_cases import TALLIES, _batch, _plain

from tacit.core.resources import Resources, using
from tacit.core.tally import fold
from tacit.tallies.arrays import ArrayBatch, ArrayRecords

pytestmark = pytest.mark.property


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


@pytest.mark.parametrize("name", TALLIES)
def test_arrow_batches_and_threads_count_the_same(name, monkeypatch):
    import tacit.tallies.arrays as arrays

    monkeypatch.setattr(arrays, "_SERIAL", 100)
    generator = np.random.default_rng(7)
    columns = tuple(generator.integers(0, top, 5000) for top in (50000, 5, 2))
    tally = TALLIES[name]
    with using(Resources(threads=3)):
        threads = ArrayRecords(columns, rows=97).fold(tally)
    alone = tally.add(tally.zero(), ArrayBatch(columns, 0, 5000))
    table = pa.table([pa.array(c) for c in columns], names=["a", "b", "c"])
    arrow = fold(table.to_batches(max_chunksize=333), tally)
    assert _plain(name, threads) == _plain(name, alone) == _plain(name, arrow)
