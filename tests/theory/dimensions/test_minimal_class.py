"""Tests of ``tacit.theory.dimensions.minimal_class``."""

import numpy as np

from tacit.theory.dimensions import (
    minimal,
    named,
    verify,
)


def test_minimal_representations():
    assert verify(minimal(named.points(5), named.points(5), alpha="9/10"), named.points(5))
    borders = named.thresholds(5)
    assert minimal(borders, borders, alpha="2/5") is not None
    assert minimal(borders, borders, alpha="1/2") is None  # a mixture of two others will do
    assert minimal(np.vstack([borders, borders[:1]]), borders, alpha="1/5") is None
    assert minimal(borders[1:], borders, alpha="1/5") is None
