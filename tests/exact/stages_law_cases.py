"""Cases that several tests share: Draws by stages: every stage says the truth, and the draw is the function of all of them."""

from fractions import Fraction

import numpy as np

from tacit.tallies.blocks import Blocks
from tacit.tallies.scores import CutMistakes

SIZE = 8


RATES = (Fraction(3, 2), Fraction(4))


class Halving:
    """Blocks by their first bit, then the next; never tells more than it is asked."""

    def __init__(self, data, size=SIZE):
        self._data, self._size = data, size

    def _count(self, starts, sizes):
        before = [[sum(x < s and y == k for x, y in self._data) for s in starts] for k in (0, 1)]
        inside = [
            [sum(s <= x < s + m and y == k for x, y in self._data) for s, m in zip(starts, sizes, strict=True)]
            for k in (0, 1)
        ]  # fmt: skip
        return Blocks(
            np.array(starts, dtype=np.uint64),
            np.array(sizes, dtype=np.uint64),
            np.array(before, dtype=np.int64).reshape(2, -1),
            np.array(inside, dtype=np.int64).reshape(2, -1),
        )

    def first(self, _likely):
        return self._count([0], [self._size]), None

    def shares(self, blocks):
        for place in range(0, len(blocks), 2):  # two at a time, whatever they hold
            yield blocks[np.arange(len(blocks)) // 2 == place // 2]

    def refine(self, blocks, _held):
        assert (np.diff(blocks.starts.astype(np.int64)) > 0).all()
        assert not blocks.plain.any()
        halves = [
            half
            for s, m in zip(blocks.starts.tolist(), blocks.sizes.tolist(), strict=True)
            for half in ((s, m // 2), (s + m // 2, m - m // 2))
        ]
        return self._count([s for s, _ in halves], [m for _, m in halves])


class Loose(CutMistakes):
    """Bounds that are further away than they need be."""

    def __init__(self, low, slack):
        super().__init__(low)
        object.__setattr__(self, "slack", slack)

    def least(self, before, inside, total):
        return super().least(before, inside, total) - self.slack

    def most(self, before, inside, total):
        return super().most(before, inside, total) + 2 * self.slack


def _candidates(stage):
    levels = stage.listed.levels()
    for error, count in zip(levels.errors.tolist(), levels.counts.tolist(), strict=True):
        for rank in range(int(count)):
            yield stage.listed.member(error, rank), error


def _check(stages, truth):
    """All candidates once with their errors; what is left is bounded one to one."""
    seen = {}
    for stage in stages:
        for candidate, error in _candidates(stage):
            assert candidate not in seen
            seen[candidate] = error
        left = sorted(error for candidate, error in truth.items() if candidate not in seen)
        if stage.rest is None:
            assert not left
        else:
            bounds = np.repeat(stage.rest.errors, stage.rest.counts.astype(int)).tolist()
            assert len(bounds) == len(left)
            assert all(low <= error for low, error in zip(bounds, left, strict=True))
    assert stages[-1].rest is None
    assert seen == truth
    return len(stages)
