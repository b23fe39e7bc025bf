"""Tests of ``tacit.domains.public_grid``."""

import numpy as np

from tacit.domains.public_grid import grid_from_public


def test_a_public_sample_sets_the_grid():
    rng = np.random.default_rng(2)
    public = np.stack([rng.exponential(size=500), rng.integers(0, 3, 500)], axis=1)
    schema = grid_from_public(public, bins=8)
    assert schema.cells == (9, 4)
    counts = np.bincount(schema.coerce(public)[:, 0], minlength=9)
    assert counts[0] == 0
    assert counts[1:].min() > 40
