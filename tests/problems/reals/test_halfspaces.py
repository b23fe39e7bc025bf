"""Tests of ``tacit.problems.reals.halfspaces``."""

import numpy as np
import pytest

from tacit.classes import Halfspaces
from tacit.core import BadInput


def test_a_grid_too_fine_for_exact_products_is_refused():
    with pytest.raises(BadInput, match="too large"):
        Halfspaces(columns=3).cover(1 << 30)


def test_counting_does_not_depend_on_blocks_or_order():
    halfspaces = Halfspaces(columns=4)
    generator = np.random.default_rng(7)
    x = halfspaces.domain.coerce(generator.integers(-3, 4, size=(1000, 4)))
    y = generator.random(1000) < 0.5
    cover = halfspaces.cover(4)
    errors = cover.landscape(x, y).errors
    order = generator.permutation(1000)
    assert (cover.landscape(x[order], y[order]).errors == errors).all()
    parts = cover.landscape(x[:333], y[:333]).errors + cover.landscape(x[333:], y[333:]).errors
    assert (parts == errors).all()
    # Many of these records lie exactly on some boundary: int64 says the same.
    signs = (x.astype(np.int64) @ cover.normals(0, cover.size).astype(np.int64).T) >= 0
    assert ((signs != y[:, None]).sum(axis=0) == errors).all()
    assert (x.astype(np.int64) @ cover.normals(0, cover.size).astype(np.int64).T == 0).any()
