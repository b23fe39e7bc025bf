"""Tests of ``tacit.problems.points.some_points``."""

import numpy as np

from tacit.domains.integers import Integers
from tacit.problems.points.some_points import SomePoints


def some(*points, size=16, kind=np.uint64):
    return SomePoints(Integers(size=size), np.array(points, dtype=kind))


def test_lists_are_the_same_by_their_points_and_domain():
    assert some(1, 5) == some(1, 5) == some(1, 5, kind=object)
    assert hash(some(1, 5)) == hash(some(1, 5)) == hash(some(1, 5, kind=object))
    assert len({some(1, 5), some(1, 5), some(1), some(1, 6), some(1, 5, size=17)}) == 4
    assert some(1) != 1


def test_mistakes_are_those_of_each_listed_point():
    x, y = np.array([1, 1, 5, 7], dtype=np.uint64), np.array([True, False, True, True])
    errors = some(1, 5, 9).landscape(x, y).errors.tolist()
    assert errors == [int(sum((x == point) != y)) for point in (1, 5, 9)]
