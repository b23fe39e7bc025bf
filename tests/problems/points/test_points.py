"""Tests of ``tacit.problems.points.points``."""

import numpy as np
import pytest

from tacit.classes import Points, Thresholds
from tacit.core import BadInput
from tacit.problems.points.points import unlisted


@pytest.mark.parametrize("size", [2**63, 2**64 - 1, 2**64, 2**64 + 3, 2**64 + 4, 2**1000])
def test_points_at_the_edges_of_a_word(size):
    concept_class = Points(size=size)
    x = concept_class.domain.coerce([0, 0, 5, size - 1, size - 1, size - 2])
    y = np.array([True, False, True, True, True, False])
    landscape = concept_class.landscape(x, y)
    levels = landscape.levels()
    assert levels.total == size
    for error, count in zip(levels.errors.tolist(), levels.counts.tolist(), strict=True):
        for rank in {0, int(count) // 2, int(count) - 1}:
            point = landscape.member(error, rank)
            assert 0 <= point < size
            assert np.count_nonzero(concept_class.hypothesis(point).predict(x) != y) == error


@pytest.mark.parametrize("values", [[], [0], [3], [0, 1, 2], [1, 3, 4, 9], [0, 2, 4, 6, 8]])
def test_unlisted_numbers_what_is_missing(values):
    missing = [v for v in range(40) if v not in values]
    array = np.array(values, dtype=np.uint64)
    assert [unlisted(array, rank) for rank in range(30)] == missing[:30]


def test_landscapes_leave_the_data_alone():
    x = np.array([5, 1, 3], dtype=np.int64)
    y = np.array([True, False, True])
    before = x.copy()
    for concept_class in (Points(size=9), Thresholds(size=9), Thresholds(bits=64)):
        concept_class.landscape(concept_class.domain.coerce(x), y)
        assert (x == before).all()


def test_nothing_private_is_printed():
    x, y = np.array([4711], dtype=np.uint64), np.array([True])
    for concept_class in (Points(bits=20), Thresholds(bits=20)):
        assert "4711" not in repr(concept_class.landscape(x, y))


def test_sizes_and_dimensions():
    assert Thresholds(size=4).size == 5
    assert Thresholds(size=4, orientation="THRESH").size == 4
    assert Thresholds(bits=64).littlestone == 64
    assert Points(size=4).vc == Points(size=4).littlestone == 1
    assert Points(size=1).vc == 0
    with pytest.raises(BadInput, match="orientation"):
        Thresholds(size=4, orientation=">")
