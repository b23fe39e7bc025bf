"""Counts of all combinations of cells and labels: the same however the records are cut."""

from collections import Counter

import numpy as np
import pytest

from tacit.core import Sample
from tacit.domains.schema import Schema
from tacit.tallies.arrays import ReadBatch
from tacit.tallies.combinations import CombinationCounts


@pytest.mark.parametrize("k", [1, 3])
def test_every_record_is_counted_once_in_its_combination(k):
    schema = Schema.of([bool, ("a", "b", "c")])
    generator = np.random.default_rng(k)
    x = np.stack(
        [
            generator.integers(0, 2, 200).astype(object) > 0,
            generator.choice(["a", "b", "c", "z"], 200),
        ],
        axis=1,
    )
    y = generator.random((200, k)) < 0.4
    tally = CombinationCounts(schema, k)
    whole = tally.of(Sample(x, y))
    cells = schema.coerce(x)
    wanted = Counter(
        (
            int(np.ravel_multi_index(tuple(row), schema.cells)),
            sum(int(one) << j for j, one in enumerate(told)),
        )
        for row, told in zip(cells, y, strict=True)
    )
    assert {place: int(whole[place]) for place in zip(*np.nonzero(whole), strict=True)} == wanted
    parts = [
        tally.add(tally.zero(), ReadBatch((x[rows], y[rows] if k > 1 else y[rows, 0]), len(rows)))
        for rows in np.array_split(generator.permutation(200), 4)
    ]
    merged = tally.zero()
    for part in parts:
        merged = tally.merge(merged, part)
    assert (merged == whole).all()
    assert whole.shape == tally.shape
