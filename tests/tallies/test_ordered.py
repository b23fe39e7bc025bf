"""A threshold learned from batches is the one learned from arrays, whatever cuts the batches."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import tacit.problems.thresholds.thresholds as module
from tacit import Accuracy, Ledger, Privacy, Task, learn
from tacit.classes import Thresholds
from tacit.core import NamedRule
from tacit.core.tally import Streamed, fold
from tacit.sources import FileSample
from tacit.tallies.arrays import ArrayBatch, ArrayRecords, fold_ahead
from tacit.tallies.digits import LeadingCounts
from tacit.tallies.reading import Column, Label
from tacit.testing import seeded

ROWS = 3000


class Shredded(Streamed):
    """Records in batches of random sizes and order, merged in random order, never twice alike."""

    positive = True
    tasks = 1

    def __init__(self, x, y, seed):
        self._columns, self._generator = (x, y == 1), np.random.default_rng(seed)
        self.passes = 0

    def __len__(self):
        return len(self._columns[0])

    def fold(self, tally):
        self.passes += 1
        order = self._generator.permutation(len(self))
        cuts = np.sort(self._generator.integers(0, len(self), 20))
        parts = []
        for rows in np.split(order, cuts):
            columns = tuple(column[rows] for column in self._columns)
            parts.append(tally.add(tally.zero(), ArrayBatch(columns, 0, len(rows))))
        while len(parts) > 1:
            self._generator.shuffle(parts)
            parts.append(tally.merge(parts.pop(), parts.pop()))
        return parts[0]


def _data(bits, seed=0):
    generator = np.random.default_rng(seed)
    x = generator.integers(0, 1 << bits, ROWS)
    y = np.where(generator.random(ROWS) < 0.2, x < 1 << (bits - 1), x >= 1 << (bits - 1))
    return x, y.astype(np.int64)


def _task(bits, setting="agnostic"):
    return Task(
        Thresholds(bits=bits),
        privacy=Privacy("0.5"),
        accuracy=Accuracy("0.2", "0.1"),
        setting=setting,
    )


@pytest.mark.parametrize("bits", [10, 20, 32, 60])
@pytest.mark.parametrize("algorithm", ["exponential", "permute-and-flip"])
def test_the_same_release_from_every_source(bits, algorithm, monkeypatch, tmp_path):
    x, y = _data(bits)
    path = tmp_path / "records.parquet"
    pq.write_table(pa.table({"x": x, "label": y}), path, row_group_size=700)
    text = tmp_path / "records.csv"
    rows = "\n".join(f"{a},{b}" for a, b in zip(x.tolist(), y.tolist(), strict=True))
    text.write_text("x,label\n" + rows + "\n")
    task = _task(bits)

    def rule(data, **names):
        release = learn(
            task, data, ledger=Ledger.memory(), rng=seeded(bits), algorithm=algorithm, **names
        )
        return release.value.rule if isinstance(release.value, NamedRule) else release.value

    listed = rule((x, y))
    monkeypatch.setattr(module, "_MANY_ROWS", 0)
    scans = []
    whole = FileSample._table
    monkeypatch.setattr(FileSample, "_table", property(lambda s: scans.append(1) or whole.func(s)))
    assert rule((x, y)) == listed
    assert rule((x.tolist(), y.tolist())) == listed
    assert rule(path) == listed
    assert rule(text) == listed
    shredded = Shredded(x, y, seed=bits)
    assert rule(shredded) == listed
    assert 1 <= shredded.passes <= 3
    assert not scans, "the file was loaded whole"


def test_one_thread_fetches_while_another_counts_and_errors_come_through():
    x, y = _data(20)
    records = ArrayRecords((x, y), rows=100)
    tally = LeadingCounts(Column(0, Thresholds(bits=20).domain), Label(1), 6, 1 << 14)
    ahead, plain = fold_ahead(records.batches(), tally), fold(records.batches(), tally)
    assert (ahead.counts() == plain.counts()).all()

    def breaks():
        yield next(records.batches())
        raise RuntimeError("the disk is gone")

    with pytest.raises(RuntimeError, match="the disk is gone"):
        fold_ahead(breaks(), tally)

    class Refuses:
        def zero(self):
            return 0

        def add(self, counter, batch):
            raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        fold_ahead(records.batches(), Refuses())
