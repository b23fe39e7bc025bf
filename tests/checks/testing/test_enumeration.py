"""Tests of ``tacit.checks.testing.enumeration``."""

from fractions import Fraction

from tests.checks.testing.testing_tools_cases import RECORDS

from tacit.checks.testing import (
    exact_delta,
    exponential_law,
    law_of,
)
from tacit.core import LABEL
from tacit.exact.balls import at


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
