"""Tests of ``tacit.domains.sphere``."""

from math import inf, nan

import numpy as np

from tacit.domains import (
    Sphere,
)
from tacit.domains.sphere import SCALE


def test_directions_are_whole_numbers_with_largest_entry_fixed():
    sphere = Sphere(columns=3)
    rows = [
        [0, 0, 0],
        [nan, nan, nan],
        [inf, 0, -inf],
        [5e-324, 0, 0],
        [1e308, 1e308, -1e308],
        [3, 4, 0],
    ]
    held = sphere.coerce(rows)
    assert (held == np.rint(held)).all()
    assert (np.abs(held).max(axis=1) == SCALE).all()
    assert not np.signbit(held[held == 0]).any()
    assert (held / SCALE).tolist()[:4] == [[1, 0, 0], [1, 0, 0], [1, 0, -1], [1, 0, 0]]
    assert (held / SCALE).tolist()[5] == [0.75, 1, 0]


def test_directions_do_not_depend_on_length():
    generator = np.random.default_rng(2)
    rows = generator.normal(size=(100, 4))
    assert (Sphere(columns=4).coerce(rows) == Sphere(columns=4).coerce(rows * 2.0**-300)).all()
