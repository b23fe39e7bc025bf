"""Tests of ``tacit.problems.parities.parities_upper``."""

from fractions import Fraction
from itertools import product

import pytest
from tests.problems.parities.bns19_parities_cases import solutions

from tacit.exact.balls import ball
from tacit.problems.parities.parities_upper import full_rank

pytestmark = pytest.mark.exact


def test_chance_of_full_rank():
    bits, rows = 2, 3
    good = sum(
        len(solutions([(x, 0) for x in drawn], bits)) == 1
        for drawn in product(range(1 << bits), repeat=rows)
    )
    assert full_rank(bits=bits, rows=rows).overlaps(ball(Fraction(good, 4**rows)))
