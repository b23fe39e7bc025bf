"""The tools that tests stand on, tested themselves."""

from fractions import Fraction
from itertools import product

import pytest

from tacit.checks.testing import (
    Scripted,
    divergence,
    exact_delta,
    exact_epsilon,
    exponential_law,
    law_of,
    neighbours,
    seeded,
)
from tacit.core import ADD_REMOVE, LABEL, REPLACE_ONE
from tacit.exact.balls import at, ball

RECORDS = [(x, y) for x in (0, 1) for y in (0, 1)]


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


def test_exact_delta_finds_the_worst_pair():
    def law(data):
        ones = sum(y for _, y in data)
        return exponential_law([ones, len(data) - ones], Fraction(1, 2))

    with at(256):
        assert exact_delta(law, RECORDS, 2, epsilon=Fraction(1), relation=LABEL).is_zero()
        assert exact_delta(law, RECORDS, 2, epsilon=Fraction(1, 10), relation=LABEL) > 0


def test_law_of_leaves_what_it_did_not_follow():
    def draw(rng):
        tosses = 1
        while rng.bits(1):
            tosses += 1
        return tosses

    masses, left = law_of(draw, least=Fraction(1, 100))
    assert masses == {k: Fraction(1, 2**k) for k in range(1, 7)}
    assert left == Fraction(1, 2**6)
    assert sum(masses.values()) + left == 1


def test_law_of_sees_bytes_and_bits_alike():
    masses, left = law_of(lambda rng: rng.bytes(1)[0] >> 6)
    assert left == 0
    assert masses == dict.fromkeys(range(4), Fraction(1, 4))


def test_a_script_is_followed_then_left():
    rng = Scripted(0b1011, 4)
    assert rng.bits(3) == 0b101
    assert rng.bits(1) == 1
    assert rng.used == 4
    after, plain = Scripted(0, 0, seed=5), seeded(5)
    assert [after.bits(8) for _ in range(20)] == [plain.bits(8) for _ in range(20)]
    mixed = Scripted(0b1, 1)
    assert mixed.bits(3) >> 2 == 1
    assert not mixed.private


def test_scripted_words_reach_numpy_as_they_are():
    import numpy as np

    rng = Scripted(5 << 64 | 7, 128)
    assert np.frombuffer(rng.bytes(16), dtype=np.uint64).tolist() == [5, 7]
    assert len(rng.bytes(3)) == 3
