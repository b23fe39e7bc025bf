"""The explorables say what the package computes."""

from __future__ import annotations

import math
from itertools import product

import pytest

from tacit.core import BadInput
from tacit.page import pictures, teaching
from tacit.theory.dimensions.named import FORMULAS


@pytest.mark.parametrize(("family", "size"), [("thresholds", 7), ("parities", 2), ("points", 4)])
def test_no_labels_force_more_mistakes_than_the_tree_is_deep(family, size):
    depth = teaching.game(family, size, "").depth
    most = 0
    for labels in product("01", repeat=depth):
        found = teaching.game(family, size, "".join(labels))
        assert found.asked is None
        assert found.mistakes <= depth
        most = max(most, found.mistakes)
        row = FORMULAS[family].table(size)[found.concept]
        assert all(row[one.point] == one.label for one in found.rounds)
    assert most == depth


def test_denying_every_prediction_forces_them_all():
    labels = ""
    for _ in range(4):
        labels += str(1 - teaching.game("thresholds", 15, labels).predicts)
    assert teaching.game("thresholds", 15, labels).mistakes == 4


def test_weights_are_the_exponential_law():
    found = teaching.weights("1", "exponential")
    assert sum(one.chance for one in found.weights) == pytest.approx(1)
    weights = [math.exp(-one.mistakes / 2) for one in found.weights]
    for one, weight in zip(found.weights, weights, strict=True):
        assert one.chance == pytest.approx(weight / sum(weights), rel=1e-9)
    assert 1 < found.ratio <= found.bound
    strict = teaching.weights("0.1", "permute-and-flip")
    assert strict.ratio <= strict.bound < found.bound


def test_the_attack_catches_the_one_and_not_the_other(caller):
    found, _ = teaching.tracing(1)
    open_, private = found
    assert max(open_.accused) > open_.runs * 0.8
    assert open_.epsilon > 1
    assert private.epsilon <= 1
    assert "record 2" in pictures.accused_picture(found)


def test_wrong_numbers_are_refused():
    for call in (
        lambda: teaching.weights("100", "exponential"),
        lambda: teaching.weights("1", "noise"),
        lambda: teaching.region("Geometric", "100", 1.0),
    ):
        with pytest.raises(BadInput):
            call()
