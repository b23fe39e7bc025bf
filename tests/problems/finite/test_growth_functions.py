"""Tests of ``tacit.problems.finite.growth_functions``."""

from fractions import Fraction as F

import pytest
from tests.bounds.upper.deviations_cases import ALPHA, BETA, ONE, records

from tacit.bounds.upper import deviations
from tacit.core import ADD_REMOVE
from tacit.problems.finite import growth_functions

pytestmark = pytest.mark.exact


def test_known_numbers():
    assert [records(bits) for bits in (32, 64, 256, 1000)] == [1643, 2309, 5801, 17811]
    assert records(64, alpha=F(1, 20)) == 6567
    assert records(64, relation=ADD_REMOVE) == 1638
    intervals = [(2**bits * (2**bits + 1) // 2) + 1 for bits in (64, 1000)]
    asked = {"alpha": ALPHA, "beta": BETA, "epsilon": ONE}
    found = [
        deviations.growth(size=size, log_growth=growth_functions.intervals, **asked).n
        for size in intervals
    ]
    assert found == [6652, 39659]
    boxes = [
        deviations.growth(size=intervals[0] ** q, log_growth=growth_functions.boxes(q), **asked).n
        for q in (2, 3)
    ]
    assert boxes == [18336, 26082]
