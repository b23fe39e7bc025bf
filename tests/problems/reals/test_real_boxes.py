"""Tests of ``tacit.problems.reals.real_boxes``."""

from fractions import Fraction as F
from math import comb

import numpy as np
import pytest
from tests.problems.reals.ch11_covers_cases import SMALL, _records

from tacit.classes import Halfspaces, RealBoxes, RealIntervals, RealThresholds
from tacit.core import BadInput
from tacit.problems.reals.real_boxes import RealBoxRule


@pytest.mark.parametrize("name", SMALL)
def test_mistakes_are_those_of_the_very_rules(name):
    concept_class, cells = SMALL[name]
    generator = np.random.default_rng(3)
    x = _records(concept_class, generator, 600)
    y = generator.random(600) < 0.5
    cover = concept_class.cover(cells)
    assert cover.size == concept_class.cover_size(cells)
    errors = cover.landscape(concept_class.domain.coerce(x), y).errors
    counted = [int((cover.hypothesis(i).predict(x) != y).sum()) for i in range(cover.size)]
    assert errors.tolist() == counted
    assert len(set(counted)) > 3


def test_cover_sizes_are_not_above_the_explicit_ones():
    for radius in (F(1, 10), F(1, 23)):
        k = -(-1 // radius)
        # One more cell than in real arithmetic, to make room for rounding.
        assert RealThresholds().cells(radius) <= -(-1 // (2 * radius)) + 1
        intervals = RealIntervals()
        assert intervals.cover_size(intervals.cells(radius)) <= comb(k + 1, 2) + 1
    assert [
        Halfspaces(columns=n).cover_size(Halfspaces(columns=n).cells(F(1, 20))) for n in (3, 4, 5)
    ] == [
        486,
        10648,
        285610,
    ]


def test_brute_force_agrees_that_boxes_are_covered():
    boxes = RealBoxes(columns=2)
    cover = boxes.cover(4)
    rules = [cover.hypothesis(i) for i in range(cover.size)]
    generator = np.random.default_rng(5)
    worst = F(0)
    for _ in range(300):
        ends = np.sort(generator.random((2, 2)), axis=1)
        box = RealBoxRule(domain=boxes.domain, sides=tuple(map(tuple, ends.tolist())))
        worst = max(worst, min(boxes.disagreement(box, rule) for rule in rules))
    # The worst case needs all four faces off their cuts by the most.
    assert cover.radius / 4 < worst <= cover.radius


@pytest.mark.parametrize(
    "make",
    [
        lambda: RealBoxes(),
        lambda: RealBoxes(columns=2, bounds=[(0, 1)]),
        lambda: Halfspaces(columns=1),
        lambda: RealThresholds(low=1, high=0),
    ],
)
def test_bad_classes_are_refused(make):
    with pytest.raises(BadInput):
        make()
