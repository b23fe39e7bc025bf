"""Distances between concepts, against counting where they differ."""

from fractions import Fraction

import pytest

from tacit.core import BadInput
from tacit.theory.dimensions.incidence import read
from tacit.theory.dimensions.metric import disagreement

TABLE = read([[0, 0, 0], [0, 0, 1], [1, 1, 1], [0, 0, 1]])

LAW = [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)]


def weight(f, g):
    return sum(w for x, w in enumerate(LAW) if TABLE.label(f, x) != TABLE.label(g, x))


def test_a_distance_is_the_weight_of_the_points_that_differ():
    metric = disagreement(TABLE, LAW)
    assert sorted(metric.concepts) == [0, 1, 2]  # the fourth is the second again
    for i, f in enumerate(metric.concepts):
        for j, g in enumerate(metric.concepts):
            assert Fraction(int(metric.distances[i, j]), metric.scale) == weight(f, g)


def test_weights_need_not_sum_to_one_and_uniform_is_a_word():
    assert disagreement(TABLE, [3, 2, 1]).reference == tuple(LAW)
    assert disagreement(TABLE, "uniform").reference == (Fraction(1, 3),) * 3


def test_balls_are_sets_of_concepts():
    metric = disagreement(TABLE, LAW)
    for bound in (0, metric.scale // 6, metric.scale):
        for i, ball in enumerate(metric.balls(bound)):
            near = [weight(metric.concepts[i], g) * metric.scale <= bound for g in metric.concepts]
            assert [bool(ball >> j & 1) for j in range(3)] == near


@pytest.mark.parametrize(
    "law", ["normal", [1, 1], [1, -1, 1], [0, 0, 0], [1, 1, "1/1267650600228229401496703205377"]]
)
def test_what_is_no_law_over_the_points_is_refused(law):
    with pytest.raises(BadInput):
        disagreement(TABLE, law)
