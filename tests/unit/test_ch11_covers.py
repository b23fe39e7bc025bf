"""Covers and packings of the real-valued classes: sizes, verifiers, counting."""

from fractions import Fraction as F
from math import comb, pi

import numpy as np
import pytest

from tacit.classes import Halfspaces, RealBoxes, RealIntervals, RealThresholds
from tacit.core import BadInput, hypothesis_from_dict
from tacit.exact.balls import above, ball, below
from tacit.problems.reals.cover_checks import is_cover, is_packing
from tacit.problems.reals.real_boxes import RealBoxRule
from tacit.problems.reals.sphere_grid import cap, grid_normals

SMALL = {
    "thresholds": (RealThresholds(), 7),
    "thresholds, other bounds": (RealThresholds(-2, 3), 9),
    "intervals": (RealIntervals(), 6),
    "boxes": (RealBoxes(2), 4),
    "boxes, other bounds": (RealBoxes(bounds=[(0, 10), (-1, 1)]), 3),
    "plane": (Halfspaces(2), 9),
    "space": (Halfspaces(3), 3),
    "four": (Halfspaces(4), 2),
}


def _records(concept_class, generator, n):
    """Random records, some of them at corners, cuts, outside and missing."""
    width = concept_class.domain.dimension
    rows = generator.normal(0.5, 1, size=(n, width))
    rows[: n // 3] = generator.integers(-8, 17, size=(n // 3, width)) / 8
    rows[0] = 0
    rows[1] = np.nan
    return rows


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
    "concept_class", [RealThresholds(), RealThresholds(1000, 1001), RealIntervals(), RealBoxes(2)]
)
def test_interval_like_covers_reach_their_radius_and_no_coarser_one_does(concept_class, radius):
    cells = concept_class.cells(radius)
    cover = concept_class.cover(cells)
    assert is_cover(cover, radius)
    assert cover.radius <= concept_class.cover_radius(cells) <= radius
    if cells > 1:
        assert not is_cover(concept_class.cover(cells - 1), radius * 999 / 1000)


def test_cover_sizes_are_not_above_the_explicit_ones():
    for radius in (F(1, 10), F(1, 23)):
        k = -(-1 // radius)
        # One more cell than in real arithmetic, to make room for rounding.
        assert RealThresholds().cells(radius) <= -(-1 // (2 * radius)) + 1
        intervals = RealIntervals()
        assert intervals.cover_size(intervals.cells(radius)) <= comb(k + 1, 2) + 1
    assert [Halfspaces(n).cover_size(Halfspaces(n).cells(F(1, 20))) for n in (3, 4, 5)] == [
        486,
        10648,
        285610,
    ]


def test_brute_force_agrees_that_boxes_are_covered():
    boxes = RealBoxes(2)
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
    ("dimension", "radius"), [(2, F(1, 20)), (3, F(1, 10)), (3, F(1, 25)), (4, F(1, 6))]
)
def test_the_verifier_finds_halfspaces_covered_and_finds_holes(dimension, radius):
    halfspaces = Halfspaces(dimension)
    cover = halfspaces.cover(halfspaces.cells(radius))
    assert cover.radius <= radius
    assert is_cover(cover, cover.radius * 103 / 100)
    assert not is_cover(cover, cover.radius * 85 / 100)


def test_the_verifier_misses_no_missing_normal():
    halfspaces = Halfspaces(3)
    cover = halfspaces.cover(9)
    normals = cover.normals(0, cover.size)
    kept = np.delete(normals, [100, 101, 102, 110, 111, 112], axis=0)
    holed = type(cover)(cover.domain, len(kept), lambda start, stop: kept[start:stop], None)
    assert is_cover(cover, cover.radius * 11 / 10)
    assert not is_cover(holed, cover.radius * 11 / 10)


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
    assert angle <= float(Halfspaces(dimension).cover_radius(cells)) * pi


def test_normals_are_the_same_however_they_are_asked_for():
    whole = grid_normals(4, 3, 0, 216)
    parts = [grid_normals(4, 3, start, min(start + 17, 216)) for start in range(0, 216, 17)]
    assert (np.concatenate(parts) == whole).all()


@pytest.mark.parametrize(
    ("concept_class", "radius", "least"),
    [
        (RealThresholds(), F(1, 20), 10),
        (RealThresholds(3, 5), F(2, 5), 2),
        (RealIntervals(), F(1, 40), 64),
        (RealBoxes(2), F(1, 30), 256),
        (Halfspaces(2), F(1, 20), 39),
        (Halfspaces(3), F(1, 8), 40),
        (Halfspaces(4), F(1, 4), 20),
    ],
)
def test_packings_are_apart_and_large(concept_class, radius, least):
    rules = concept_class.packing(radius)
    assert len(rules) >= least
    assert is_packing(concept_class, rules, radius)
    assert not is_packing(concept_class, rules, 3 * radius)


def test_packings_and_covers_respect_the_volume_bounds():
    for dimension, radius in ((3, F(1, 20)), (4, F(1, 10))):
        halfspaces = Halfspaces(dimension)

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


@pytest.mark.parametrize(
    "make",
    [
        lambda: RealBoxes(),
        lambda: RealBoxes(2, bounds=[(0, 1)]),
        lambda: Halfspaces(1),
        lambda: RealThresholds(1, 0),
    ],
)
def test_bad_classes_are_refused(make):
    with pytest.raises(BadInput):
        make()


def test_a_grid_too_fine_for_exact_products_is_refused():
    with pytest.raises(BadInput, match="too large"):
        Halfspaces(3).cover(1 << 30)


def test_counting_does_not_depend_on_blocks_or_order():
    halfspaces = Halfspaces(4)
    generator = np.random.default_rng(7)
    x = halfspaces.domain.coerce(generator.integers(-3, 4, size=(1000, 4)))
    y = generator.random(1000) < 0.5
    cover = halfspaces.cover(4)
    errors = cover.landscape(x, y).errors
    order = generator.permutation(1000)
    assert (cover.landscape(x[order], y[order]).errors == errors).all()
    parts = cover.landscape(x[:333], y[:333]).errors + cover.landscape(x[333:], y[333:]).errors
    assert (parts == errors).all()
    # Many of these records lie exactly on some boundary: int64 says the same.
    signs = (x.astype(np.int64) @ cover.normals(0, cover.size).astype(np.int64).T) >= 0
    assert ((signs != y[:, None]).sum(axis=0) == errors).all()
    assert (x.astype(np.int64) @ cover.normals(0, cover.size).astype(np.int64).T == 0).any()
