"""Tests of ``tacit.problems.reals.real_thresholds``."""

import numpy as np
import pytest

from tacit.classes import RealThresholds
from tacit.core import BadInput
from tacit.problems.reals.real_thresholds import ThresholdGrid


@pytest.mark.parametrize("size", [10**9 + 7, 1 << 48])
def test_places_are_numbers_of_cuts(size):
    grid = ThresholdGrid(RealThresholds().domain, size)
    x = np.concatenate([np.random.default_rng(0).random(500), [0.0, 1.0, 0.5]])
    x = np.concatenate([x, grid._cuts(np.floor(x[:200] * (size - 1)))])
    place = grid._places(x)
    inner = place > 0
    assert (grid._cuts(place[inner] - 1) <= x[inner]).all()
    below = place < size
    assert (grid._cuts(place[below]) > x[below]).all()


def test_a_grid_finer_than_floats_is_refused():
    with pytest.raises(BadInput, match="tell the cuts apart"):
        RealThresholds().cover((1 << 48) + 1)
