"""Tests of ``tacit.problems.points.random_sets``."""

import numpy as np
from tests.problems.points.bbkn13_points_cases import everywhere

from tacit.checks.testing import seeded
from tacit.domains.integers import Integers
from tacit.problems.points.random_sets import representation_error
from tacit.problems.points.representing_sets import RandomSets, certified_error


def test_the_certificate_bounds_the_exact_representation_error():
    points = np.eye(7, dtype=bool)
    for seed in range(20):
        sets = RandomSets.draw(seeded(seed), domain=Integers(size=7), sets=12, bits=1)
        table = sets.holds(everywhere(7))
        assert representation_error(points, table) <= certified_error(table)
    alone = np.eye(7, dtype=bool)[:6]
    assert certified_error(alone) == 1 == representation_error(points, alone)
    assert certified_error(points) == 0 == representation_error(points, points)
