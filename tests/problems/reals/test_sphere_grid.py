"""Tests of ``tacit.problems.reals.sphere_grid``."""

from fractions import Fraction as F
from math import pi

import numpy as np
import pytest

from tacit.classes import Halfspaces
from tacit.exact.balls import above, ball, below
from tacit.problems.reals.sphere_grid import cap, grid_normals


@pytest.mark.parametrize("cells", [1, 2, 3, 4, 5, 6, 7])
@pytest.mark.parametrize("dimension", [3, 4, 5])
def test_the_grid_angle_bound_holds_for_even_and_odd_grids(cells, dimension):
    generator = np.random.default_rng(6)
    normals = grid_normals(dimension, cells, 0, 2 * dimension * cells ** (dimension - 1))
    assert len(np.unique(normals, axis=0)) == len(normals)
    units = normals / np.linalg.norm(normals, axis=1)[:, None]
    points = generator.uniform(-1, 1, size=(2000, dimension))
    points[:1000] = np.rint(points[:1000] * cells) / cells  # corners are the worst
    points[np.arange(2000), generator.integers(0, dimension, 2000)] = 1
    points /= np.linalg.norm(points, axis=1)[:, None]
    angle = np.arccos(np.clip((points @ units.T).max(axis=1), -1, 1)).max()
    assert angle <= float(Halfspaces(columns=dimension).cover_radius(cells)) * pi


def test_normals_are_the_same_however_they_are_asked_for():
    whole = grid_normals(4, 3, 0, 216)
    parts = [grid_normals(4, 3, start, min(start + 17, 216)) for start in range(0, 216, 17)]
    assert (np.concatenate(parts) == whole).all()


def test_packings_and_covers_respect_the_volume_bounds():
    for dimension, radius in ((3, F(1, 20)), (4, F(1, 10))):
        halfspaces = Halfspaces(columns=dimension)

        def share(part, dimension=dimension, radius=radius):
            return cap(dimension, ball(radius * part) * 4 * ball(1).atan())

        least_cover = below(lambda share=share: 1 / share(F(1)))
        most_packing = above(lambda share=share: 1 / share(F(1, 2)))
        assert halfspaces.cover_size(halfspaces.cells(radius)) >= least_cover
        assert len(halfspaces.packing(radius)) <= most_packing


@pytest.mark.parametrize(
    ("dimension", "low", "high"), [(3, 162, 649), (4, 1209, 9746), (5, 8842, 141000)]
)
def test_cap_measures_give_the_known_figures(dimension, low, high):
    def share(radius):
        return cap(dimension, ball(radius) * 4 * ball(1).atan())

    assert float(below(lambda: 1 / share(F(1, 20)))) == pytest.approx(low, rel=0.03)
    assert float(above(lambda: 1 / share(F(1, 40)))) == pytest.approx(high, rel=0.03)
