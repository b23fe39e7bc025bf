"""Boxes and conjunctions: mistakes against prediction, and exact privacy."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from tests.complete import complete

from tacit.checks.testing import exact_epsilon, flip_law, neighbours
from tacit.core import ADD_REMOVE, LABEL, REPLACE_ONE, BadInput
from tacit.exact.balls import at, ball
from tacit.problems.finite.finite_class import FiniteClassLearner
from tacit.problems.tables import products
from tacit.problems.tables.products import Boxes, Conjunctions, Intervals

pytestmark = pytest.mark.exact

MIXED = complete([(0, 1), ("a", "b", "c"), bool, range(3)], bins=3)


def table(n, seed=0):
    rng = np.random.default_rng(seed)
    words = np.array(["a", "b", "c", "other"])
    rows = [
        (rng.random(), words[rng.integers(4)], bool(rng.integers(2)), int(rng.integers(3)))
        for _ in range(n)
    ]
    return rows, rng.integers(0, 2, n).astype(bool)


@pytest.mark.parametrize(
    "concepts",
    [
        Intervals(MIXED),
        Boxes(MIXED),
        Boxes(MIXED, columns=3),
        Boxes(MIXED, columns=3, chosen=((3, 0, 1), (2,))),
        Conjunctions(MIXED, columns=3),
    ],
    ids=lambda c: f"{c.name}-{c.columns}-{c.chosen}",
)
def test_landscapes_are_the_mistakes_of_their_rules(concepts):
    x, y = table(23)
    errors = concepts.landscape(MIXED.coerce(x), y).errors
    assert len(errors) == concepts.size
    seen = set()
    for candidate, error in enumerate(errors.tolist()):
        rule = concepts.hypothesis(candidate)
        assert error == np.sum(rule.predict(x) != y)
        seen.add((rule.conditions, rule.inside))
    assert len(seen) == concepts.size


def test_no_records_have_no_mistakes():
    empty = np.empty((0, 4), dtype=np.int32)
    assert not Boxes(MIXED, columns=3).landscape(empty, np.empty(0, dtype=bool)).errors.any()


@pytest.mark.parametrize("relation", [REPLACE_ONE, LABEL, ADD_REMOVE])
def test_privacy_of_boxes_over_three_columns_by_enumerating_neighbours(relation):
    boxes = Boxes(complete([bool, bool, bool]), columns=3, chosen=((0, 1, 2),))
    learner = FiniteClassLearner(
        concept_class=boxes, epsilon=Fraction(1), relation=relation, selector="permute-and-flip"
    )
    records = [((0, 0, 0), 0), ((0, 0, 0), 1), ((1, 0, 1), 0), ((1, 1, 1), 1)]

    @cache
    def law(rows):
        x = np.array([row for row, _ in rows], dtype=np.int32).reshape(-1, 3)
        y = np.array([label for _, label in rows], dtype=bool)
        errors = boxes.landscape(x, y).errors.tolist()
        return flip_law(errors, learner._selection.rate)

    worst = ball(0)
    with at(256):
        for left, right in neighbours(records, 2, relation):
            worst = worst.max(exact_epsilon(law(left), law(right)))
        assert worst < 1 + ball(Fraction(1, 1 << 200))
        assert worst > ball(Fraction(1, 5))


def test_too_many_boxes_are_refused_at_once_and_with_a_way_out(monkeypatch):
    wide = complete([(0, 1)] * 2000, bins=64)
    for concepts in (Boxes, Conjunctions):
        with pytest.raises(BadInput, match="choose the sets"):
            concepts(wide, columns=3)
    with pytest.raises(BadInput, match="fewer bins"):
        Intervals(complete([(0, 1)], bins=30_000))
    few = Boxes(MIXED, columns=3)
    monkeypatch.setattr(products, "MOST_CONCEPTS", few.size)
    assert Boxes(MIXED, columns=3).size == few.size
    monkeypatch.setattr(products, "MOST_CONCEPTS", few.size - 1)
    with pytest.raises(BadInput, match=str(few.size)):
        Boxes(MIXED, columns=3)
