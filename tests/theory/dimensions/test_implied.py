"""Tests of ``tacit.theory.dimensions.implied``."""

from fractions import Fraction as F
from itertools import product

import pytest
from tests.problems.several.bounds_theorems_cases import A, E

from tacit.bounds.upper import generalization
from tacit.theory.dimensions import implied

pytestmark = pytest.mark.exact


def test_without_privacy_is_never_dearer_than_with_it():
    assert generalization.one_region(alpha=A, beta=F(1, 20)).n == 29
    for size in (2, 8, 2**16):
        for alpha, beta in product((F(1, 10), F(1, 3)), (F(1, 20), F(1, 3))):
            rows = implied.records(
                concepts=size, vc=1, littlestone=1, epsilon=E, alpha=alpha, beta=beta
            )
            assert rows[0].bound.n <= rows[1].bound.n
