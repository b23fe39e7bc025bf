"""Tests of ``tacit.domains.reals``."""

from fractions import Fraction
from math import inf, nan

import numpy as np
import pytest

from tacit.core import BadInput
from tacit.domains import (
    RealBox,
    Sphere,
)


def test_a_real_box_places_every_value():
    box = RealBox([(-10, 10), (0, 1)])
    rows = [[-10, 0.25], [nan, inf], [-inf, nan], [1e308, -1e308], [5, 1]]
    assert box.coerce(rows).tolist() == [[0, 0.25], [0, 1], [0, 0], [1, 0], [0.75, 1]]
    odd = np.array([["0", "x"], [None, "0.5"], [b"5", 10**400]], dtype=object)
    assert box.coerce(odd).tolist() == [[0.5, 0], [0, 0.5], [0.75, 1]]
    assert box.coerce(np.empty((0, 2))).shape == (0, 2)


def test_one_record_does_not_change_how_another_is_read():
    alone = RealBox.unit().coerce([True, 0.25])
    mixed = RealBox.unit().coerce([True, 0.25, "word", None, 10**400])
    assert (mixed[:2] == alone).all()
    assert (
        Sphere(columns=2).coerce([[True, 2], ["word", 1]])[0]
        == Sphere(columns=2).coerce([[True, 2]])[0]
    ).all()


def test_a_single_column_may_be_flat():
    assert RealBox.unit().coerce([0.5, 2]).tolist() == [[0.5], [1.0]]


@pytest.mark.parametrize("bounds", [[], [(1, 1)], [(2, 1)], [(0, "1e200")], [(0, "1e-200")]])
def test_bad_bounds_are_refused(bounds):
    with pytest.raises(BadInput):
        RealBox(bounds)


def test_the_number_of_columns_is_public():
    with pytest.raises(BadInput, match="2 columns"):
        RealBox.unit(columns=2).coerce([1.0, 2.0])


@pytest.mark.parametrize("bounds", [(0, 1), (1000, 1001), ("-1e9", 3), ("0.1", "0.3")])
def test_holding_a_value_keeps_order_and_moves_it_no_more_than_stated(bounds):
    box = RealBox([bounds])
    low, high = box.bounds[0]
    generator = np.random.default_rng(1)
    exact = [
        low + (high - low) * Fraction(k, 10**12)
        for k in sorted(generator.integers(0, 10**12, 300).tolist())
    ]
    held = box.coerce([float(value) for value in exact])[:, 0]
    assert (np.diff(held) >= 0).all()
    for value, place in zip(exact, held.tolist(), strict=True):
        assert abs((value - low) / (high - low) - Fraction(place)) <= box.rounding(0)


def test_a_box_reads_itself_back():
    box = RealBox([("1/3", 2), (-1, 1)])
    assert RealBox.from_list(box.to_list()) == box
