"""Tables of few cells are counted once, and counts stand for the records in every tally."""

import numpy as np
import pandas as pd
import pytest

from tacit.core.tally import Streamed
from tacit.domains.placing import PlacedTable
from tacit.domains.schema import Schema
from tacit.problems.tables.rule_counts import RuleCounts
from tacit.problems.tables.trees import Trees
from tacit.tallies.arrays import ReadBatch
from tacit.tallies.few_cells import FewCells, KindCounts, few_cells
from tacit.tallies.parts import PartCounts

SCHEMA = Schema.of({"a": (0, 4), "b": ("u", "v"), "c": bool}, bins=4)


class Shown(Streamed):
    """Records in two batches; counts how often they are read."""

    def __init__(self, x, y, fits):
        self.parts, self.folds = (x, y, fits), 0

    def __len__(self):
        return len(self.parts[1])

    def fold(self, tally):
        self.folds += 1
        half = len(self) // 3
        batches = [
            ReadBatch(tuple(part[rows] for part in self.parts), len(self.parts[1][rows]))
            for rows in (slice(half), slice(half, None))
        ]
        return tally.merge(*(tally.add(tally.zero(), batch) for batch in batches))


def records(n, values=2, seed=0):
    rng = np.random.default_rng(seed)
    x = pd.DataFrame(
        {
            "a": np.where(rng.random(n) < 0.1, np.nan, rng.random(n) * 4),
            "b": rng.choice(np.array(["u", "v", "w"], dtype=object), n),
            "c": rng.random(n) < 0.5,
        }
    )
    y = rng.integers(0, values, n)
    return Shown(x, y > 0 if values == 2 else y, rng.random(n) < 0.8)


@pytest.mark.parametrize("n", [0, 1, 2, 777])
@pytest.mark.parametrize("values", [2, 3])
def test_every_tally_gets_the_same_counts_after_one_pass(n, values):
    data = records(n, values)
    trees = Trees(SCHEMA, depth=2)
    rule = trees.hypothesis((1, (0, 0, 1), 1))
    whats = ("positive", "labels", "columns") if values == 2 else ("values", "labels")
    asked = [RuleCounts(rule, whats, values)]
    pairs = PartCounts(SCHEMA, ((0, 1), (2,), (0, 1, 2)))
    wanted = [data.fold(tally) for tally in asked]
    cells = data.fold(pairs)
    data.folds = 0
    few = few_cells(data, SCHEMA, values=values, declared=True)
    assert isinstance(few, FewCells)
    assert len(few) == n
    assert [few.fold(tally) for tally in asked] == wanted
    assert (few.fold(pairs) == cells).all()
    assert few.fold(KindCounts(SCHEMA, values, declared=True)).sum() == n
    assert data.folds == 1
    assert "private" in repr(few)


def test_many_kinds_are_left_as_they_are():
    data = records(10)
    wide = Schema.of(dict.fromkeys("abcdefg", (0, 1)), bins=16)
    assert few_cells(data, wide, declared=False) is data
    assert data.folds == 0


def test_a_label_beyond_the_declared_ones_is_never_counted_elsewhere():
    data = records(10, values=3)
    with pytest.raises(IndexError):
        few_cells(Shown(data.parts[0], data.parts[1] + 2, data.parts[2]), SCHEMA, values=3,
                  declared=False)  # fmt: skip


def test_placed_rows_are_taken_by_the_same_declarations_only():
    rows = PlacedTable(np.zeros((1, 3), dtype=np.int32), SCHEMA)
    same = Schema.of({"a": (0, 4), "b": ("u", "v"), "c": bool}, bins=4)
    assert same.coerce(rows).tolist() == [[0, 0, 0]]
    with pytest.raises(ValueError, match="other declarations"):
        Schema.of([bool]).coerce(rows)
    assert "private" in repr(rows)
