"""Coins in bulk and random sets that hold a point: their laws, and wrong ones rejected."""

from fractions import Fraction

import numpy as np
import pytest
from tests.tools.levels import DRAWS, accepts

from tacit.checks.testing import Scripted, seeded
from tacit.domains.integers import Integers
from tacit.exact.many_coins import bernoullis
from tacit.problems.points.constant_sample import NOTHING, Flips, HashedSet

pytestmark = pytest.mark.statistical

SETS = 20_000


def both(part, whole):
    return [part, whole - part]


def test_bulk_coins():
    p = Fraction(3, 700)
    hits = int(bernoullis(seeded("coins"), p, DRAWS).sum())
    assert accepts(both(hits, DRAWS), both(float(p), 1))
    assert not accepts(both(hits, DRAWS), both(float(p) * 1.15, 1))
    assert not accepts(both(hits, DRAWS), both(float(p) * 0.85, 1))


def test_bulk_coins_settle_the_doubtful_word_by_the_rest_of_the_bias():
    """Drive the first 64 bits onto those of p = 1/3; then the rest of p, 1/3 again, decides."""
    third = (1 << 64) // 3
    hits = sum(
        int(bernoullis(Scripted(third, 64, seed=seed), Fraction(1, 3), 1)[0])
        for seed in range(SETS)
    )
    assert accepts(both(hits, SETS), both(1 / 3, 1))
    assert not accepts(both(hits, SETS), both(0.3, 1))
    assert not accepts(both(hits, SETS), both(0.37, 1))


def test_coins_at_the_ends():
    assert bernoullis(seeded(1), Fraction(1), 100).all()
    assert not bernoullis(seeded(1), Fraction(0), 100).any()
    assert len(bernoullis(seeded(1), Fraction(1, 2), 0)) == 0


def test_a_set_that_holds_its_point_holds_others_independently():
    bits, point, others = 3, 12345678901234567, [0, 12345678901234568, (1 << 64) - 1]
    domain, rng = Integers(bits=64), seeded("sets")
    values = np.array([point, *others], dtype=np.uint64)
    held = np.array([HashedSet(bits)(domain, point, rng=rng).predict(values) for _ in range(SETS)])
    assert held[:, 0].all()
    for column in held[:, 1:].T:
        hits = int(column.sum())
        assert accepts(both(hits, SETS), both(1 / 8, 1))
        assert not accepts(both(hits, SETS), both(1 / 7, 1))
        assert not accepts(both(hits, SETS), both(1 / 9, 1))


def test_a_set_of_nothing_in_particular():
    bits, domain, rng = 2, Integers(bits=100), seeded("nothing")
    values = np.array([3, 1 << 90], dtype=object)
    held = np.array(
        [HashedSet(bits)(domain, NOTHING, rng=rng).predict(values) for _ in range(SETS)]
    )
    counts = np.bincount(2 * held[:, 0] + held[:, 1], minlength=4).tolist()
    even = [9 / 16, 3 / 16, 3 / 16, 1 / 16]
    assert accepts(counts, even)
    assert not accepts(counts, [0.6, 0.175, 0.175, 0.05])
    assert not accepts(counts, [0.7, 0.05, 0.05, 0.2])


def test_flips_of_a_point():
    rng, domain, rate = seeded("flips"), Integers(size=4), Fraction(1, 10)
    rules = np.array([Flips(rate)(domain, 2, rng=rng).values for _ in range(SETS)])
    for column, expected in zip(rules.T, (0.1, 0.1, 0.9, 0.1), strict=True):
        hits = int(column.sum())
        assert accepts(both(hits, SETS), both(expected, 1))
        assert not accepts(both(hits, SETS), both(expected - 0.02, 1))
        assert not accepts(both(hits, SETS), both(expected + 0.02, 1))
