"""Halfspaces and balls over whole numbers: how many, their dimensions, their rules."""

import numpy as np
import pytest

import tacit
from tacit import Accuracy, Privacy, Task, plan
from tacit.classes import GridBalls, GridHalfspaces, Table
from tacit.core import BadInput, hypothesis_from_dict
from tacit.problems.reals.surfaces import SurfaceRule, one_vector


def test_how_many_there_are():
    # Threshold functions of 2 and 3 variables; intervals of 8 numbers and the empty set.
    assert [GridHalfspaces(bits=1, columns=d).size for d in (1, 2, 3)] == [4, 14, 104]
    assert GridBalls(bits=3, columns=1).size == 8 * 9 // 2 + 1
    assert GridHalfspaces(bits=3, columns=1).size == 16
    few, many = GridHalfspaces(bits=2, columns=2), GridHalfspaces(bits=8, columns=2)
    assert few.size <= 2 * (1 + 15 + 105)
    assert few.too_many is None
    assert many.too_many is not None


@pytest.mark.parametrize(
    "family",
    [
        GridHalfspaces(bits=1),
        GridBalls(bits=1),
        GridHalfspaces(bits=3, columns=1),
        GridBalls(bits=3, columns=1),
    ],
    ids=lambda family: f"{family.name} {family.bits} {family.columns}",
)
def test_dimensions_and_rules_are_those_of_the_list(family):
    rows = family.domain.rows()
    rules = [family.hypothesis(i) for i in range(family.size)]
    table = np.array([rule.predict(rows) for rule in rules])
    assert len(np.unique(table, axis=0)) == family.size
    assert tacit.dimensions.vc(Table(table)).value == family.vc
    assert tacit.dimensions.littlestone(Table(table)).value >= family.littlestone
    if family.space == "ball":
        assert all(rule.weights[-2] < 0 for rule in rules)
    for rule in rules:
        assert hypothesis_from_dict(rule.to_dict()) == rule
    x, y = rows, np.arange(len(rows)) % 3 == 0
    wrong = [int((rule.predict(x) != y).sum()) for rule in rules]
    assert family.landscape(x, y).errors.tolist() == wrong


def test_words_are_the_rule():
    rule = SurfaceRule(space="ball", bits=3, weights=(4, 8, -2, -6))
    assert rule.describe().startswith("1 if +2 x1 +4 x2 -1 (x1^2 + x2^2) -3 >= 0, else 0\n")
    rows = rule.domain.rows()
    inside = [2 * a + 4 * b - a * a - b * b - 3 >= 0 for a, b in rows.tolist()]
    assert rule.predict(rows).tolist() == inside
    with pytest.raises(BadInput, match="known space"):
        SurfaceRule(space="torus", bits=1, weights=(1, 1))


def test_one_vector_decides_as_many_do():
    vectors, largest = ((1, -1), (0, 1)), (7, 7)
    (a, b) = one_vector(vectors, largest)
    for x in range(-7, 8):
        for y in range(-7, 8):
            first = x - y or y
            assert (a * x + b * y > 0) == (first > 0)
            assert (a * x + b * y < 0) == (first < 0)


def test_large_classes_are_planned_with_their_littlestone_bound():
    def answer(family, relation):
        privacy = Privacy(1, 0, relation)
        return plan(Task(family, privacy=privacy, accuracy=Accuracy("0.1", "0.05")))

    for family in (GridHalfspaces(bits=16, columns=4), GridBalls(bits=16, columns=4)):
        found = answer(family, "replace-one")
        assert found.best is not None
        needed = max(found.lower_bounds, key=lambda one: one.n)
        assert 30 <= needed.n <= found.best.n  # a branch of 64 thresholds' bits
        assert "shattered branch" in [one.name for one in found.lower_bounds]
    assert answer(GridHalfspaces(bits=8), "label").runnable.algorithm.name == (
        "label-private-arrangement"
    )
