"""Counted mistakes are those of the very rules that candidates name."""

import numpy as np
import pytest

from tacit.problems.reals.arrangement import decided, labellings, recipes
from tacit.problems.reals.arrangement_landscape import spanning

pytestmark = pytest.mark.exact


@pytest.mark.parametrize("width", [2, 3, 4])
def test_levels_and_members_are_those_of_a_list(width):
    rng = np.random.default_rng(width)
    for n in (0, 1, 3) if width == 4 else (0, 1, 3, 4):
        x = rng.integers(-2, 3, (n, width))
        x = x[x.any(axis=1)]
        y = rng.integers(0, 2, len(x)).astype(bool)
        landscape = spanning(x, y)
        levels = landscape.levels()
        named = set()
        for error, count in zip(levels.errors.tolist(), levels.counts.tolist(), strict=True):
            for rank in range(count):
                candidate = landscape.member(error, rank)
                vectors = landscape.vectors(candidate)
                wrong = [decided(vectors, p) != b for p, b in zip(x.tolist(), y, strict=True)]
                assert sum(wrong) == error
                named.add(candidate)
        assert len(named) == sum(levels.counts.tolist()) <= recipes(len(x) + width, width)
        points = [tuple(row) for row in landscape.points.tolist()]
        ways = {tuple(decided(landscape.vectors(c), p) for p in points) for c in named}
        assert ways == {labels for labels, vectors in labellings(points) if vectors}
    assert "private" in repr(landscape)
