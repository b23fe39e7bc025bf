"""Tests of ``tacit.problems.reals.cover_checks``."""

from fractions import Fraction as F

import numpy as np
import pytest
from tests.problems.reals.ch11_covers_cases import SMALL, _records

from tacit.classes import Halfspaces, RealBoxes, RealIntervals, RealThresholds
from tacit.core import BadInput, hypothesis_from_dict
from tacit.problems.reals.cover_checks import is_cover, is_packing
from tacit.problems.reals.real_boxes import RealBoxRule


@pytest.mark.parametrize("name", SMALL)
def test_rules_survive_a_file(name):
    concept_class, cells = SMALL[name]
    generator = np.random.default_rng(4)
    x = _records(concept_class, generator, 200)
    cover = concept_class.cover(cells)
    for i in range(0, cover.size, max(1, cover.size // 7)):
        rule = cover.hypothesis(i)
        back = hypothesis_from_dict(rule.to_dict())
        assert back == rule
        assert (back.predict(x) == rule.predict(x)).all()
        assert rule.describe()


def test_damaged_rules_are_refused():
    for record in (
        {"kind": "halfspace", "normal": ["0", "0"]},
        {"kind": "halfspace", "normal": [str(1 << 60), "1"]},
        {"kind": "real-box", "bounds": [["0", "1"]], "sides": [["0x0p+0", "0x1p-1"]] * 2},
        {"kind": "real-threshold", "bounds": [["1", "0"]], "cut": "0x1p-1"},
    ):
        with pytest.raises(BadInput):
            hypothesis_from_dict(record)


@pytest.mark.parametrize("radius", [F(1, 3), F(1, 10), F(1, 37), F(1, 200)])
@pytest.mark.parametrize(
    "concept_class",
    [RealThresholds(), RealThresholds(low=1000, high=1001), RealIntervals(), RealBoxes(columns=2)],
)
def test_interval_like_covers_reach_their_radius_and_no_coarser_one_does(concept_class, radius):
    cells = concept_class.cells(radius)
    cover = concept_class.cover(cells)
    assert is_cover(cover, radius)
    assert cover.radius <= concept_class.cover_radius(cells) <= radius
    if cells > 1:
        assert not is_cover(concept_class.cover(cells - 1), radius * 999 / 1000)


@pytest.mark.parametrize(
    ("dimension", "radius"), [(2, F(1, 20)), (3, F(1, 10)), (3, F(1, 25)), (4, F(1, 6))]
)
def test_the_verifier_finds_halfspaces_covered_and_finds_holes(dimension, radius):
    halfspaces = Halfspaces(columns=dimension)
    cover = halfspaces.cover(halfspaces.cells(radius))
    assert cover.radius <= radius
    assert is_cover(cover, cover.radius * 103 / 100)
    assert not is_cover(cover, cover.radius * 85 / 100)


def test_the_verifier_misses_no_missing_normal():
    halfspaces = Halfspaces(columns=3)
    cover = halfspaces.cover(9)
    normals = cover.normals(0, cover.size)
    kept = np.delete(normals, [100, 101, 102, 110, 111, 112], axis=0)
    holed = type(cover)(cover.domain, len(kept), lambda start, stop: kept[start:stop], None)
    assert is_cover(cover, cover.radius * 11 / 10)
    assert not is_cover(holed, cover.radius * 11 / 10)


@pytest.mark.parametrize(
    ("concept_class", "radius", "least"),
    [
        (RealThresholds(), F(1, 20), 20),
        (RealThresholds(low=3, high=5), F(2, 5), 3),
        (RealIntervals(), F(1, 40), 64),
        (RealBoxes(columns=2), F(1, 30), 256),
        (Halfspaces(columns=2), F(1, 20), 39),
        (Halfspaces(columns=3), F(1, 8), 40),
        (Halfspaces(columns=4), F(1, 4), 20),
    ],
)
def test_packings_are_apart_and_large(concept_class, radius, least):
    rules = concept_class.packing(radius)
    assert len(rules) >= least
    assert is_packing(concept_class, rules, radius)
    assert not is_packing(concept_class, rules, 3 * radius)


def test_the_doubling_dimension_of_intervals_is_infinite():
    # Around the empty set: 1/r disjoint intervals of length r, all 2r apart.
    intervals = RealIntervals()
    assert intervals.doubling is None
    for k in (4, 16):
        length = F(1, k)
        rules = [
            RealBoxRule(domain=intervals.domain, sides=((i / k, (i + 1) / k),)) for i in range(k)
        ]
        empty = RealBoxRule(domain=intervals.domain, sides=())
        assert all(intervals.disagreement(rule, empty) == length for rule in rules)
        assert is_packing(intervals, rules, length)
