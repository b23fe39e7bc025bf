"""Real-valued domains map everything; references have the right smoothness."""

from fractions import Fraction
from math import exp, inf, nan, sqrt

import numpy as np
import pytest
from scipy import special

from tacit.core import BadInput
from tacit.domains import (
    RealBox,
    Reference,
    Sphere,
    band,
    caps,
    spike,
    uniform_cube,
    uniform_sphere,
)
from tacit.domains.sphere import SCALE


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
    assert (Sphere(2).coerce([[True, 2], ["word", 1]])[0] == Sphere(2).coerce([[True, 2]])[0]).all()


def test_a_single_column_may_be_flat():
    assert RealBox.unit().coerce([0.5, 2]).tolist() == [[0.5], [1.0]]


@pytest.mark.parametrize("bounds", [[], [(1, 1)], [(2, 1)], [(0, "1e200")], [(0, "1e-200")]])
def test_bad_bounds_are_refused(bounds):
    with pytest.raises(BadInput):
        RealBox(bounds)


def test_the_number_of_columns_is_public():
    with pytest.raises(BadInput, match="2 columns"):
        RealBox.unit(2).coerce([1.0, 2.0])


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


def test_directions_are_whole_numbers_with_largest_entry_fixed():
    sphere = Sphere(3)
    rows = [
        [0, 0, 0],
        [nan, nan, nan],
        [inf, 0, -inf],
        [5e-324, 0, 0],
        [1e308, 1e308, -1e308],
        [3, 4, 0],
    ]
    held = sphere.coerce(rows)
    assert (held == np.rint(held)).all()
    assert (np.abs(held).max(axis=1) == SCALE).all()
    assert not np.signbit(held[held == 0]).any()
    assert (held / SCALE).tolist()[:4] == [[1, 0, 0], [1, 0, 0], [1, 0, -1], [1, 0, 0]]
    assert (held / SCALE).tolist()[5] == [0.75, 1, 0]


def test_directions_do_not_depend_on_length():
    generator = np.random.default_rng(2)
    rows = generator.normal(size=(100, 4))
    assert (Sphere(4).coerce(rows) == Sphere(4).coerce(rows * 2.0**-300)).all()


@pytest.mark.parametrize("dimension", [2, 3, 10])
@pytest.mark.parametrize("gamma", [0.05, 0.5, 0.9])
def test_band_and_caps_have_the_exact_smoothness(dimension, gamma):
    inside = special.betainc(0.5, (dimension - 1) / 2, gamma**2)
    assert float(band(dimension, gamma=gamma).kappa) == pytest.approx(1 / inside, rel=1e-8)
    assert float(caps(dimension, gamma=gamma).kappa) == pytest.approx(1 / (1 - inside), rel=1e-8)


def test_kappa_is_rounded_up():
    # In three dimensions one coordinate is uniform, so a band of half-width g has measure g.
    assert 0 <= band(3, gamma="1/3").kappa - 3 < Fraction(1, 10**8)
    assert 0 <= caps(3, gamma="3/4").kappa - 4 < Fraction(1, 10**8)


def test_the_printed_smoothness_of_the_band_is_wrong_and_of_the_caps_is_safe():
    n = 100
    gamma = 1 / sqrt(n)
    assert 1 / (1 - 2 * exp(-n * gamma**2 / 2)) < 0
    assert 1.4 < float(band(n, gamma=gamma).kappa) < 1.5
    for dimension in (2, 5, 20):
        for width in (0.1, 0.5, 0.9):
            printed = (2 / (1 - width)) ** ((dimension - 1) / 2)
            # Lemma 21 holds as an inequality only.
            assert float(caps(dimension, gamma=width).kappa) <= printed


def test_the_spike_has_the_density_of_example_1():
    assert spike("1/10").kappa == 8


def test_references_are_hashable_and_say_what_they_are():
    assert (
        len({uniform_cube(), uniform_cube(1), uniform_sphere(2), uniform_cube(1, kappa=None)}) == 3
    )
    assert "kappa 2" in str(uniform_cube(2, kappa=2))
    assert "records allow" in str(uniform_sphere(3, kappa=None))


@pytest.mark.parametrize(
    "make",
    [
        lambda: uniform_cube(1, kappa=0.5),
        lambda: uniform_sphere(1),
        lambda: uniform_cube(0),
        lambda: Reference("ball", 2),
        lambda: band(3, gamma=0),
        lambda: caps(3, gamma=1),
    ],
)
def test_bad_references_are_refused(make):
    with pytest.raises(BadInput):
        make()
