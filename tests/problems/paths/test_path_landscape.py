"""The grouped mistakes of all paths are the listed ones."""

from collections import Counter

import numpy as np
import pytest

from tacit.classes import Paths

pytestmark = pytest.mark.exact


@pytest.mark.parametrize("bits", [1, 2, 3, 4])
def test_levels_and_members_are_those_of_a_list(bits):
    rng = np.random.default_rng(bits)
    paths = Paths(bits=bits)
    ends = range(1, paths.size + 1)
    for n in (0, 1, 3, 9):
        for _ in range(40):
            x = rng.integers(0, paths.domain.size, n).astype(np.uint64)
            y = rng.integers(0, 2, n).astype(bool)
            wrong = {
                end: int(np.count_nonzero(paths.hypothesis(end).predict(x) != y)) for end in ends
            }
            landscape = paths.landscape(x, y)
            levels = landscape.levels()
            counted = dict(zip(levels.errors.tolist(), levels.counts.tolist(), strict=True))
            assert counted == Counter(wrong.values())
            for error, count in counted.items():
                members = {landscape.member(error, rank) for rank in range(count)}
                assert members == {end for end in ends if wrong[end] == error}


def test_deep_trees_are_grouped_not_listed():
    paths = Paths(bits=1000)
    end = (1 << 1000) | 12345
    x = np.array([end >> step for step in range(0, 1001, 40)], dtype=object)
    landscape = paths.landscape(x, np.ones(len(x), dtype=bool))
    levels = landscape.levels()
    assert sum(levels.counts.tolist()) == paths.size
    assert levels.errors.tolist()[0] == 0
    assert levels.counts.tolist()[0] == 1
    assert landscape.member(0, 0) == end
    assert "private" in repr(landscape)
