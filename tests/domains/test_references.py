"""Tests of ``tacit.domains.references``."""

from fractions import Fraction
from math import exp, sqrt

import pytest
from scipy import special

from tacit.core import BadInput
from tacit.domains import (
    Reference,
    band,
    caps,
    spike,
    uniform_cube,
    uniform_sphere,
)


@pytest.mark.parametrize("dimension", [2, 3, 10])
@pytest.mark.parametrize("gamma", [0.05, 0.5, 0.9])
def test_band_and_caps_have_the_exact_smoothness(dimension, gamma):
    inside = special.betainc(0.5, (dimension - 1) / 2, gamma**2)
    assert float(band(columns=dimension, gamma=gamma).kappa) == pytest.approx(1 / inside, rel=1e-8)
    assert float(caps(columns=dimension, gamma=gamma).kappa) == pytest.approx(
        1 / (1 - inside), rel=1e-8
    )


def test_kappa_is_rounded_up():
    # In three dimensions one coordinate is uniform, so a band of half-width g has measure g.
    assert 0 <= band(columns=3, gamma="1/3").kappa - 3 < Fraction(1, 10**8)
    assert 0 <= caps(columns=3, gamma="3/4").kappa - 4 < Fraction(1, 10**8)


def test_the_printed_smoothness_of_the_band_is_wrong_and_of_the_caps_is_safe():
    n = 100
    gamma = 1 / sqrt(n)
    assert 1 / (1 - 2 * exp(-n * gamma**2 / 2)) < 0
    assert 1.4 < float(band(columns=n, gamma=gamma).kappa) < 1.5
    for dimension in (2, 5, 20):
        for width in (0.1, 0.5, 0.9):
            printed = (2 / (1 - width)) ** ((dimension - 1) / 2)
            # Lemma 21 holds as an inequality only.
            assert float(caps(columns=dimension, gamma=width).kappa) <= printed


def test_the_spike_has_the_density_of_example_1():
    assert spike("1/10").kappa == 8


def test_references_are_hashable_and_say_what_they_are():
    assert (
        len(
            {
                uniform_cube(),
                uniform_cube(columns=1),
                uniform_sphere(columns=2),
                uniform_cube(kappa=None),
            }
        )
        == 3
    )
    assert "kappa 2" in str(uniform_cube(columns=2, kappa=2))
    assert "records allow" in str(uniform_sphere(columns=3, kappa=None))


@pytest.mark.parametrize(
    "make",
    [
        lambda: uniform_cube(kappa=0.5),
        lambda: uniform_sphere(columns=1),
        lambda: uniform_cube(columns=0),
        lambda: Reference("ball", columns=2),
        lambda: band(columns=3, gamma=0),
        lambda: caps(columns=3, gamma=1),
    ],
)
def test_bad_references_are_refused(make):
    with pytest.raises(BadInput):
        make()
