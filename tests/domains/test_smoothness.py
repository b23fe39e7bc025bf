"""Kappa of one law against another: exact on lists, never too small elsewhere."""

from fractions import Fraction
from itertools import chain, combinations

import numpy as np
import pytest

from tacit.core import BadInput
from tacit.domains.smoothness import listed, mixed, normal, pieces, through, together


def test_listed_laws_are_compared_on_every_set():
    law = {"a": Fraction(1, 2), "b": Fraction(1, 3), "c": Fraction(1, 6)}
    base = {"a": Fraction(1, 4), "b": Fraction(1, 4), "c": Fraction(1, 4), "d": Fraction(1, 4)}
    sets = chain.from_iterable(combinations("abc", k) for k in (1, 2, 3))
    worst = max(sum(law[v] for v in some) / sum(base[v] for v in some) for some in sets)
    assert listed(law, base) == worst == 2
    with pytest.raises(BadInput, match="no kappa"):
        listed({"e": 1}, base)
    with pytest.raises(BadInput, match="sum to 1"):
        listed({"a": "1/2"}, base)


def test_a_normal_law_is_nowhere_denser_than_said():
    for mean, deviation in ((50, 20), (-5, 3), (120, 15), (0, 1)):
        kappa = float(normal(mean=mean, deviation=deviation, low=0, high=100))
        x = np.linspace(0, 100, 200_001)
        density = np.exp(-((x - mean) ** 2) / (2 * deviation**2))
        peak = density.max() / (np.trapezoid(density, x) / 100)
        assert abs(kappa / peak - 1) < 1e-4
    with pytest.raises(BadInput, match="below high"):
        normal(mean=0, deviation=1, low=1, high=1)


def test_products_mixtures_and_chains():
    one = pieces([0, 1, 2], ["3/4", "1/4"])
    assert one == Fraction(3, 2)
    cells = {(a, b): p * q for a, p in ((0, 3), (1, 1)) for b, q in ((0, 3), (1, 1))}
    pairs = {cell: Fraction(mass, 16) for cell, mass in cells.items()}
    even = dict.fromkeys(pairs, Fraction(1, 4))
    assert listed(pairs, even) == together(one, one)
    half = {cell: (mass + even[cell]) / 2 for cell, mass in pairs.items()}
    assert listed(half, even) <= mixed([("1/2", together(one, one)), ("1/2", 1)])
    assert listed(pairs, even) <= through(listed(pairs, half), listed(half, even))
    with pytest.raises(BadInput, match="at least 1"):
        together("1/2")
    with pytest.raises(BadInput, match="cuts must rise"):
        pieces([0, 0, 1], ["1/2", "1/2"])
