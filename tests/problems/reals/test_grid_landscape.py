"""Halfspaces counted along the lines of their grid are those of the list, in its order."""

import numpy as np
import pytest

from tacit import Accuracy, Privacy, Task, plan
from tacit.classes import Halfspaces
from tacit.problems.reals.grid_landscape import GridLandscape

pytestmark = pytest.mark.exact


@pytest.mark.parametrize(
    ("dimension", "cells", "n"),
    [(3, 5, 40), (3, 6, 7), (4, 4, 60), (5, 3, 30), (4, 5, 0), (3, 1, 9)],
)
def test_counts_and_members_are_those_of_the_list(dimension, cells, n):
    rng = np.random.default_rng(dimension * cells)
    family = Halfspaces(columns=dimension)
    raw = rng.normal(size=(n, dimension))
    if n > 3:  # on axes and diagonals, where normals of the grid meet them at a right angle
        raw[0], raw[1], raw[2], raw[3] = np.eye(dimension)[0], -np.eye(dimension)[1], 1, raw[0]
    x, y = family.domain.coerce(raw), rng.integers(0, 2, n).astype(bool)
    listed = family.cover(cells).landscape(x, y)
    counted = GridLandscape(x, y, cells)
    levels = listed.levels()
    found = counted.levels()
    assert found.errors.tolist() == levels.errors.tolist()
    assert found.counts.tolist() == levels.counts.tolist()
    seen = 0
    for error, count in zip(levels.errors.tolist(), levels.counts.tolist(), strict=True):
        for rank in {0, count // 2, count - 1}:
            assert counted.member(error, rank) == listed.member(error, rank)
            seen += 1
    assert seen >= 1
    assert "private" in repr(counted)


def test_large_covers_are_counted_and_so_fewer_records_run():
    family = Halfspaces(columns=6)
    cover = family.cover(28)
    assert cover.by_lines
    assert not family.cover(2).by_lines
    accuracy = Accuracy("0.1", "0.05")
    found = plan(Task(family, privacy=Privacy(1), accuracy=accuracy, marginal="uniform"))
    assert found.runnable.n == 957  # 2,212 where every rule was listed
    assert found.best.n == 802
