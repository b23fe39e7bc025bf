"""Tests of ``tacit.problems.tables.pair_counts``."""

from fractions import Fraction

import numpy as np
import pytest
from tests.complete import complete

from tacit.problems.tables import tree_weights
from tacit.problems.tables.pair_counts import PairTally
from tacit.problems.tables.tree_weights import Weigher
from tacit.problems.tables.trees import Trees
from tacit.tallies.arrays import ArrayRecords, ReadBatch

pytestmark = pytest.mark.exact

MIXED = [(0, 1), bool, ("a", "b", "c"), (0, 1), bool]


def _table(columns, rows):
    rng = np.random.default_rng(100 * columns + rows)
    kinds = {bool: lambda: rng.random(rows) < 0.5, tuple: lambda: rng.random(rows)}
    words = np.array(["a", "b", "c"], dtype=object)
    drawn = [
        words[rng.integers(0, 3, rows)] if "a" in str(kind) else kinds[_type(kind)]()
        for kind in MIXED[:columns]
    ]
    x = np.stack([one.astype(object) for one in drawn], axis=1)
    return x, rng.random(rows) < 0.3


def _type(kind):
    return bool if kind is bool else tuple


@pytest.mark.parametrize("columns", [2, 3, 4, 5])
@pytest.mark.parametrize("rows", [0, 1, 100, 9000])
def test_counts_are_those_of_a_plain_loop_over_pairs(columns, rows):
    schema = complete(MIXED[:columns], bins=3)
    x, y = _table(columns, rows)
    tally = PairTally(schema)
    found = tally.counts(tally.add(tally.zero(), ReadBatch((x, y), rows)))
    starts = np.concatenate(([0], np.cumsum(schema.cells)))
    plain = np.zeros((starts[-1], starts[-1], 2), dtype=np.int64)
    cells = schema.coerce(x)
    for one in range(columns):
        for other in range(columns):
            at = starts[one] + cells[:, one], starts[other] + cells[:, other], y.astype(int)
            np.add.at(plain, at, 1)
    assert np.array_equal(found, plain)


@pytest.mark.parametrize("costs", [(1, 1), (3, 2)])
def test_a_node_of_batches_is_the_node_of_all_rows(costs):
    schema = complete(MIXED[:4], bins=3)
    x, y = _table(4, 501)
    weigher = Weigher(Trees(schema, depth=2), Fraction(1), costs)
    whole = weigher.root(schema.coerce(x), y)
    parts = weigher.streamed(ArrayRecords((x, y), rows=50))
    assert (parts.zeros, parts.ones) == (whole.zeros, whole.ones)
    assert np.array_equal(parts.counts, whole.counts)


def test_one_column_has_no_pairs_and_is_counted_all_the_same(monkeypatch):
    monkeypatch.setattr(tree_weights, "_PIECE", 10)
    schema = complete([(0, 1)], bins=4)
    x, y = np.linspace(0, 1, 45)[:, None], np.arange(45) % 2 > 0
    weigher = Weigher(Trees(schema, depth=2), Fraction(1))
    assert np.array_equal(weigher.read(x, y).counts, weigher.root(schema.coerce(x), y).counts)


def test_parts_that_are_merged_are_all_counted():
    schema = complete([bool, bool], bins=2)
    tally, x, y = PairTally(schema), *_table(5, 40)
    half = [ReadBatch((x[rows][:, [1, 4]], y[rows]), 20) for rows in (slice(20), slice(20, 40))]
    merged = tally.merge(*(tally.add(tally.zero(), one) for one in half))
    both = tally.add(tally.add(tally.zero(), half[1]), half[0])
    assert np.array_equal(tally.counts(merged), tally.counts(both))
    assert tally.counts(merged).sum() == 40 * 4
