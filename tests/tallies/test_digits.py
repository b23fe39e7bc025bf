"""Tests of ``tacit.tallies.digits``."""

import numpy as np
import pytest

from tacit.tallies.arrays import ArrayBatch
from tacit.tallies.digits import Spans, TakeKeys
from tacit.tallies.reading import Column, Label

BITS = 16
CELL = 1 << (BITS - 14)


def _spans(rng):
    """Some whole leading cells, some parts of one, at times two parts of the same."""
    starts, lasts = [], []
    for cell in np.sort(rng.choice(1 << 14, 3000, replace=False)).tolist():
        first, last = cell * CELL, (cell + 1) * CELL - 1
        kind = rng.integers(4)
        parts = {
            0: [(first, last)],
            1: [(first + 1, last)],
            2: [(first, last - 1)],
            3: [(first, first), (last - 1, last)],
        }[int(kind)]
        for start, end in parts:
            starts.append(start)
            lasts.append(end)
    both = np.array(starts, dtype=np.uint64), np.array(lasts, dtype=np.uint64)
    return Spans.of(*both, bits=BITS)


@pytest.mark.parametrize("pivot", [0, 1, 4 * CELL, 2**15 + 1, 2**15 + 2, 2**16 - 1, 2**16])
def test_sides_are_those_of_every_value(pivot):
    spans = _spans(np.random.default_rng(1))
    inside = np.zeros(1 << BITS, dtype=bool)
    for start, last in zip(spans.starts.tolist(), spans.lasts.tolist(), strict=True):
        inside[start : last + 1] = True
    below = np.arange(1 << BITS) < pivot
    sides = spans.sides(pivot)
    assert set(sides.tolist()) <= {0, 1, 2, 3}
    assert {0, 3} < set(sides.tolist())
    for cell, side in enumerate(sides.tolist()):
        part = slice(cell * CELL, (cell + 1) * CELL)
        match side:
            case 0:
                assert not inside[part].any()
            case 1:
                assert inside[part].all()
                assert below[part].all()
            case 2:
                assert inside[part].all()
                assert not below[part].any()
            case _:
                assert inside[part].any()


@pytest.mark.parametrize("pivot", [0, 777, 2**15 + 1, 2**16])
@pytest.mark.parametrize("rows", [1, 2, 50_000])
def test_keys_are_taken_at_both_ends_and_none_is_lost(pivot, rows):
    rng = np.random.default_rng(2)
    spans = _spans(rng)
    values = rng.integers(0, 1 << BITS, rows).astype(np.uint64)
    labels = rng.random(rows) < 0.4
    tally = TakeKeys(Column(0, _Words()), Label(1, positive=True), spans, pivot)
    keys = tally.add(tally.zero(), ArrayBatch((values, labels), 0, rows))
    expected = [
        2 * value + label
        for value, label in zip(values.tolist(), labels.tolist(), strict=True)
        if any(np.logical_and(spans.starts <= value, value <= spans.lasts))
    ]
    below = [key for part in keys.below for key in part.tolist()]
    above = [key for part in keys.above for key in part.tolist()]
    assert sorted(below + above) == sorted(expected)
    assert all(key >> 1 < pivot for key in below)
    assert all(key >> 1 >= pivot for key in above)


class _Words:
    def coerce(self, values):
        return values
