"""Every algorithm, from records that come in pieces: split, reordered, merged again and again."""

from copy import deepcopy

import numpy as np
import pytest
from tests.golden.golden import DELTAS, recorded, release_of
from tests.golden.tasks import cases

from tacit.core import ALGORITHMS
from tacit.core.tally import Streamed
from tacit.tallies.arrays import ReadBatch
from tacit.tallies.placed import PlacedRecords

HOLD_CELLS = {
    "additive points",
    "alarms",
    "banded scores",
    "best rules",
    "boosted trees",
    "fitting trees",
    "grown formulas",
    "grown trees",
    "informed trees",
    "label-private-arrangement",
    "label-private-cover",
    "label-private-cover-of-any-size",
    "label-private-spheres",
    "own or shared questions",
    "resampled-selection",
    "scores",
    "shared questions",
    "table-then-rules",
}
"""Algorithms that hold the public cells of all records: they look at them again and again, draw
from them, or make rules from the public features of all. All others only count."""


class Loopback(Streamed):
    """Records in another order, in batches of random sizes, no two passes cut alike.

    Each part is counted twice, as a retried partition is, and one of the two is thrown away;
    empty parts are merged in between.
    """

    positive = True

    def __init__(self, x, y, seed):
        self._rng = np.random.default_rng(seed)
        order = self._rng.permutation(len(x))
        self._x, self._y = x[order], None if y is None else y[order]
        if y is not None and y.max(initial=0) <= 1:  # several label values stay numbers
            self._y = self._y == 1
        self.tasks = 0 if y is None else 1 if self._y.ndim == 1 else self._y.shape[1]
        self._fits = np.ones(len(x), dtype=bool)
        self.folds, self.held, self.placed = 0, False, False

    @property
    def x(self):
        self.held = True
        return self._x

    @property
    def y(self):
        self.held = True
        return self._y

    @property
    def fits(self):
        self.held = True
        return self._fits

    def __len__(self):
        return len(self._x)

    def fold(self, tally):
        self.folds += 1
        self.placed |= isinstance(tally, PlacedRecords)
        order = self._rng.permutation(len(self))
        cuts = np.sort(self._rng.integers(0, len(self) + 1, self._rng.integers(0, 6)))
        parts = [self._counted(tally, rows) for rows in np.split(order, cuts)]
        parts += [tally.merge(tally.zero(), tally.zero())]
        while len(parts) > 1:
            self._rng.shuffle(parts)
            parts.append(tally.merge(parts.pop(), tally.merge(tally.zero(), parts.pop())))
        return parts[0]

    def _counted(self, tally, rows):
        y = None if self._y is None else self._y[rows]
        batch = ReadBatch((self._x[rows], y, self._fits[rows]), len(rows))
        tally.add(tally.zero(), batch)
        counter = tally.add(deepcopy(tally.zero()), batch)
        return tally.add(
            counter, ReadBatch((self._x[:0], y if y is None else y[:0], self._fits[:0]), 0)
        )


def _shown(data):
    x, y = data if isinstance(data, tuple) else (data, None)
    return Loopback(np.asarray(x), None if y is None else np.asarray(y), seed=len(x))


@pytest.mark.parametrize("name", [entry.name for entry in ALGORITHMS])
def test_the_same_release_however_records_are_cut_ordered_and_merged(name):
    known, same, shown = recorded("algorithms"), [], []

    def show(data):
        shown.append(_shown(data))
        return shown[-1]

    for case in cases():
        for delta in DELTAS:
            wanted = known.get(f"{name} | {case.name} | {delta}")
            if wanted is None or case.rows or len(same) >= 2:
                continue
            found = release_of(case, delta, ALGORITHMS[name], source=show)
            assert found["event"] == wanted["event"]
            same.append(found == wanted)
    if not same:
        pytest.skip("takes persons only")
    assert all(same)
    assert not any(sample.held for sample in shown)  # no columns as they came
    assert any(sample.placed for sample in shown) is (name in HOLD_CELLS)
