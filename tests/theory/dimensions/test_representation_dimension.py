"""Tests of ``tacit.theory.dimensions.representation_dimension``."""

from fractions import Fraction

from tacit.theory.dimensions import representation


def test_numbers_are_read_exactly():
    assert representation([[0, 1], [1, 0]], alpha=0.1).witness.alpha == Fraction(1, 10)
