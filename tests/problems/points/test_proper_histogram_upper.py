"""Tests of ``tacit.problems.points.proper_histogram_upper``."""

from fractions import Fraction as F

import pytest

from tacit.core import ADD_REMOVE
from tacit.problems.points import proper_histogram_upper as bounds

pytestmark = pytest.mark.exact

ASKED = {"alpha": F(1, 10), "epsilon": F(1), "delta": F(1, 10**6)}


def test_the_numbers_do_not_know_the_domain():
    assert [bounds.one(size=2**b, beta=F(1, 20), **ASKED).n for b in (16, 32, 64, 1000)] == [
        393,
        380,
        380,
        380,
    ]
    assert bounds.one(size=2**64, beta=F(1, 20), relation=ADD_REMOVE, **ASKED).n == 220
    assert bounds.several(size=2**32, beta=F(1, 10), **ASKED).n <= 431
