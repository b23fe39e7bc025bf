"""Every algorithm, from records that come in pieces: split, reordered, merged again and again."""

from copy import deepcopy

import numpy as np
import pytest
from tests.golden.golden import DELTAS, recorded, release_of
from tests.golden.tasks import cases

from tacit.core import ALGORITHMS
from tacit.core.tally import Streamed
from tacit.tallies.arrays import ReadBatch

BY_PLACE = {"constant-points", "interval-switch"}
"""Algorithms that tell records apart by their place: another order is another run of them."""


class Loopback(Streamed):
    """Records in another order, in batches of random sizes, no two passes cut alike.

    Each part is counted twice, as a retried partition is, and one of the two is thrown away;
    empty parts are merged in between.
    """

    positive = True

    def __init__(self, x, y, seed):
        self._rng = np.random.default_rng(seed)
        order = self._rng.permutation(len(x))
        self.x, self.y = x[order], None if y is None else (y[order] == 1)
        self.tasks = 0 if y is None else 1 if self.y.ndim == 1 else self.y.shape[1]
        self.fits = np.ones(len(x), dtype=bool)
        self.folds = 0

    def __len__(self):
        return len(self.x)

    def fold(self, tally):
        self.folds += 1
        order = self._rng.permutation(len(self))
        cuts = np.sort(self._rng.integers(0, len(self) + 1, self._rng.integers(0, 6)))
        parts = [self._counted(tally, rows) for rows in np.split(order, cuts)]
        while len(parts) > 1:
            self._rng.shuffle(parts)
            parts.append(tally.merge(parts.pop(), tally.merge(tally.zero(), parts.pop())))
        return parts[0]

    def _counted(self, tally, rows):
        y = None if self.y is None else self.y[rows]
        batch = ReadBatch((self.x[rows], y, self.fits[rows]), len(rows))
        tally.add(tally.zero(), batch)
        counter = tally.add(deepcopy(tally.zero()), batch)
        return tally.add(
            counter, ReadBatch((self.x[:0], y if y is None else y[:0], self.fits[:0]), 0)
        )


def _shown(data):
    x, y = data if isinstance(data, tuple) else (data, None)
    return Loopback(np.asarray(x), None if y is None else np.asarray(y), seed=len(x))


@pytest.mark.parametrize("name", [entry.name for entry in ALGORITHMS])
def test_the_same_release_however_records_are_cut_ordered_and_merged(name):
    known, same = recorded("algorithms"), []
    for case in cases():
        for delta in DELTAS:
            wanted = known.get(f"{name} | {case.name} | {delta}")
            if wanted is None or case.rows or len(same) >= 2:
                continue
            found = release_of(case, delta, ALGORITHMS[name], source=_shown)
            assert found["event"] == wanted["event"]
            same.append(found == wanted)
    if not same:
        pytest.skip("takes persons only")
    assert all(same) is (name not in BY_PLACE)
