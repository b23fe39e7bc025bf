"""Records with several label columns: counted in passes, or held as cells, they say the same."""

import numpy as np
import pytest

from tacit.core import Sample
from tacit.core.tally import Settles, Streamed
from tacit.domains.marked import mark
from tacit.domains.placing import PlacedTable
from tacit.domains.schema import Schema
from tacit.problems.tables.trees import TreeRule, Trees
from tacit.tallies.arrays import ReadBatch
from tacit.tallies.label_columns import OfTask, label_columns
from tacit.tallies.placed import PlacedRecords

SCHEMA = Schema.of([bool, (0.0, 8.0)], bins=4)
ROWS = 300


class _Pieces(Streamed):
    """Batches of a table, each pass in another order; nothing else can be had of it."""

    def __init__(self, x, y):
        self._x, self._y, self._rng = x, y, np.random.default_rng(3)
        self.passes = 0

    def __len__(self):
        return len(self._x)

    def fold(self, tally):
        self.passes += 1
        counters = []
        for rows in np.array_split(self._rng.permutation(len(self)), 5):
            batch = ReadBatch((self._x[rows], self._y[rows]), len(rows))
            counters.append(tally.add(tally.zero(), batch))
        first, *others = counters
        for other in others:
            first = tally.merge(first, other)
        return first


def _records():
    generator = np.random.default_rng(1)
    x = np.stack([generator.random(ROWS) < 0.5, generator.normal(4, 3, ROWS)], axis=1)
    held = generator.integers(0, 3, (ROWS, 3))
    return x, mark(held == 1, held == 0)


def _rules():
    trees = Trees(SCHEMA, depth=1)
    cuts = trees.cuts
    return tuple(TreeRule(schema=SCHEMA, root=(cuts[i], i % 2, 1 - i % 2)) for i in range(3))


def _sorted(x, y):
    return sorted(zip(map(tuple, SCHEMA.coerce(x).tolist()), np.asarray(y).tolist(), strict=True))


@pytest.mark.parametrize("counts", [True, False])
def test_every_task_sees_its_own_records_and_labels(counts):
    x, each = _records()
    pieces = _Pieces(x, each)
    records = label_columns(pieces, SCHEMA, 3, counts=counts)
    assert pieces.passes == (0 if counts else 1)
    for task in range(3):
        kept = each[:, task] != 0
        assert 0 < kept.sum() < ROWS
        found = records.of_task(task)
        if isinstance(found, Streamed):
            parts = found.fold(PlacedRecords(SCHEMA))
            told = [PlacedTable(np.concatenate([p[0] for p in parts]), SCHEMA)]
            told.append(np.concatenate([p[1] for p in parts]))
        else:
            told = [found.x, found.y]
        assert _sorted(*told) == _sorted(x[kept], each[kept, task] > 0)
    assert records.positive().tolist() == (each > 0).sum(axis=0).tolist()
    wrong = [
        [
            int(np.count_nonzero((rule.predict(x) != (each[:, j] > 0)) & (each[:, j] == value)))
            for value in (-1, 1)
        ]
        for j, rule in enumerate(_rules())
    ]
    assert records.mistakes(_rules()).tolist() == wrong
    assert pieces.passes == (5 if counts else 1)
    assert "private" in repr(records)


def test_arrays_are_placed_once_and_without_a_schema_left_as_they_are():
    x, each = _records()
    sample = Sample(x, each > 0, positive=True)
    held = label_columns(sample, SCHEMA, 3, counts=True)
    assert isinstance(held.of_task(1).x, PlacedTable)
    assert label_columns(sample, None, 3, counts=True).of_task(1).x is x


class _Waits(Settles):
    """Numbers of records, of which those of the last batch wait."""

    def zero(self):
        return (0, 0)

    def add(self, counter, batch):
        return (sum(counter), batch.num_rows)

    def merge(self, left, right):
        return (sum(left), sum(right))

    def finished(self, counter):
        return (sum(counter), 0)


def test_what_waits_in_a_counter_is_counted_before_it_travels():
    x, each = _records()
    tally = OfTask(_Waits(), 2)
    counter = _Pieces(x, each).fold(tally)
    assert counter[1] > 0
    assert tally.finished(counter) == (np.count_nonzero(each[:, 2]), 0)
    assert OfTask(PlacedRecords(SCHEMA), 0).finished([]) == []
