"""Tests of ``tacit.mechanisms.ranks``."""

from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np
import pytest
from tests.exact.stages_law_cases import RATES, SIZE, Halving, Loose, _check
from tests.tools.long import long_ones

from tacit.tallies.blocks import Occurring
from tacit.tallies.ordered import Ordered
from tacit.tallies.scores import RankErrors
from tacit.testing import seeded

pytestmark = pytest.mark.exact

RECORDS = [(x, y) for x in range(SIZE) for y in (0, 1)]


class Taking(Halving):
    """Four quarters first, then the values that occur."""

    def first(self, _likely):
        return self._count([0, 2, 4, 6], [2] * 4), None

    def shares(self, blocks):
        yield blocks

    def refine(self, blocks, _held):
        wanted = [
            x
            for x in range(self._size)
            for s, m in zip(blocks.starts.tolist(), blocks.sizes.tolist(), strict=True)
            if s <= x < s + m and any(x == v for v, _ in self._data)
        ]
        counts = [[sum((x, k) == r for r in self._data) for x in wanted] for k in (0, 1)]
        inside = np.array(counts, dtype=np.int64).reshape(2, -1)
        return Occurring(blocks, np.array(wanted, dtype=np.uint64), inside)


def _mistakes(data, first):
    return {t: sum((x >= t) != y for x, y in data) for t in range(first, SIZE + 1)}


def _median_error(below, at_most, n):
    return np.maximum(np.maximum(2 * below - n, n - 2 * at_most), 0)


@pytest.mark.parametrize("counter", [Halving, Taking])
@pytest.mark.parametrize("rate", long_ones(RATES, RATES[1]))
def test_every_stage_says_the_truth(counter, rate):
    most = 0
    for n in range(4):
        for data in combinations_with_replacement(RECORDS[:: 2 if n == 3 else 1], n):
            for bits, slack in ((0.01, 0), (0.5, 0), (2, 1), (40, 3)):
                for edge in (True, False):
                    view = Ordered(counter(data), Loose(0, slack), shift=1, edge=edge, bits=bits)
                    stages = list(view.stages(rate))
                    most = max(most, _check(stages, _mistakes(data, 0 if edge else 1)))
            ranks = Ordered(counter(data), RankErrors(_median_error), bits=0.3)
            truth = {
                r: max(2 * sum(x < r for x, _ in data) - n, n - 2 * sum(x <= r for x, _ in data), 0)
                for r in range(SIZE)
            }
            _check(list(ranks.stages(rate)), truth)
    assert most >= 2, "no draw ever needs a second stage: the test shows nothing"


@pytest.mark.parametrize("size", [9, (1 << 18) + 1, 1 << 64, 1 << 90])
def test_ranks_by_stages_have_the_errors_of_all_values(size, monkeypatch):
    from tacit.domains.integers import Integers
    from tacit.mechanisms import ranks
    from tacit.mechanisms.interior_point import Depth
    from tacit.mechanisms.robust_minimum import RankWindow

    monkeypatch.setattr(ranks, "_MANY_ROWS", 0)
    monkeypatch.setattr(ranks, "_MANY_WIDE_ROWS", 0)
    rng, domain = seeded(size), Integers(size=size)
    for n in (0, 1, 5, 400):
        x = [rng.below(size) if i % 3 else rng.below(3) for i in range(n)]
        data = np.array(x, dtype=np.uint64 if size <= 1 << 64 else object)
        for score in (Depth(domain), RankWindow(domain, 3, 40)):
            whole = score(data).levels()
            found = {}
            for stage in score.staged(data).stages(Fraction(1, 4)):
                levels = stage.listed.levels()
                for e, c in zip(levels.errors.tolist(), levels.counts.tolist(), strict=True):
                    found[e] = found.get(e, 0) + int(c)
            assert found == dict(zip(whole.errors.tolist(), map(int, whole.counts), strict=True))
