"""Tests of ``tacit.checks.testing.privacy``."""

from fractions import Fraction
from itertools import product

import pytest
from tests.checks.testing.testing_tools_cases import RECORDS

from tacit.checks.testing import (
    divergence,
    exact_epsilon,
    neighbours,
)
from tacit.core import ADD_REMOVE, LABEL, REPLACE_ONE
from tacit.exact.balls import at, ball


def _truly_neighbours(left, right, relation):
    """By definition, on unordered data."""
    left, right = list(left), list(right)
    for record in list(left):
        if record in right:
            left.remove(record)
            right.remove(record)
    if relation is ADD_REMOVE:
        return len(left) + len(right) == 1
    same_x = relation is REPLACE_ONE or (left and right and left[0][0] == right[0][0])
    return len(left) == len(right) == 1 and bool(same_x)


@pytest.mark.parametrize("relation", [REPLACE_ONE, ADD_REMOVE, LABEL])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_neighbours_are_all_neighbours_and_nothing_else(relation, n):
    listed = {
        (tuple(sorted(left)), tuple(sorted(right)))
        for left, right in neighbours(RECORDS, n, relation)
    }
    data = [tuple(sorted(d)) for size in (n - 1, n) for d in product(RECORDS, repeat=size)]
    largest = {(a, b) for a in data for b in data if max(len(a), len(b)) == n}
    assert listed == {pair for pair in largest if _truly_neighbours(*pair, relation)}


def test_laws_are_compared_exactly():
    with at(256):
        half, third = ball(Fraction(1, 2)), ball(Fraction(1, 3))
        p, q = {0: half, 1: half}, {0: third, 1: 2 * third}
        assert abs(exact_epsilon(p, q) - ball(Fraction(3, 2)).log()) < ball(Fraction(1, 1 << 200))
        assert not exact_epsilon(p, {0: ball(1)}).is_finite()
        assert exact_epsilon({0: ball(1), 1: ball(0)}, {0: ball(1)}).is_zero()
        gap = divergence(p, q, Fraction(0) + Fraction(1, 10**9))
        assert abs(gap - ball(Fraction(1, 6))) < ball(Fraction(1, 10**8))
        assert divergence(p, p, Fraction(1)).is_zero()
