"""Tests of ``tacit.problems.points.random_sets_upper``."""

from fractions import Fraction

import pytest
from tests.problems.points.bbkn13_points_cases import BETA, ONE

from tacit import Accuracy, Privacy, Task
from tacit.classes import Points
from tacit.core import ALGORITHMS, BadInput
from tacit.problems.points import random_sets_upper as set_bounds


def test_lemma_4_1_grows_with_bits_and_with_one_over_error_squared():
    def sets(bits, error):
        width = {20: 6, 40: 7}[error]
        return set_bounds.sets_needed(
            size=1 << bits, error=Fraction(1, error), eta=Fraction(1, 100), bits=width
        )

    assert 1.8 < sets(64, 20) / sets(32, 20) < 2.1
    assert 3.8 < sets(64, 40) / sets(64, 20) < 4.2
    with pytest.raises(BadInput):
        set_bounds.sets_needed(size=4, error=Fraction(1, 4), eta=BETA, bits=2)


def test_theorem_4_2_needs_records_for_the_logarithm_of_the_bits():
    n = {
        bits: set_bounds.random_sets(size=1 << bits, alpha=Fraction(1, 4), beta=BETA, epsilon=ONE).n
        for bits in (16, 64, 256)
    }
    proper = {bits: ALGORITHMS["points"].bound(_proper(bits)).n for bits in n}
    assert n[16] < n[64] < n[256] < 2 * n[16]
    assert proper[256] > 8 * proper[16]
    assert n[256] < proper[256] / 3


def _proper(bits):
    return Task(Points(bits=bits), privacy=Privacy(1), accuracy=Accuracy(Fraction(1, 4), BETA))
