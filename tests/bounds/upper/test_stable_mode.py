"""Tests of ``tacit.bounds.upper.stable_mode``."""

from fractions import Fraction

from tacit.bounds.upper.stable_mode import blocks_needed


def test_blocks_needed_is_least_and_wants_more_for_less_delta():
    need = blocks_needed(epsilon=Fraction(1), delta=Fraction(1, 10**6), failure=Fraction(1, 40))
    assert need == 159
    tiny = blocks_needed(epsilon=Fraction(1), delta=Fraction(1, 10**12), failure=Fraction(1, 40))
    assert tiny > 1.5 * need
