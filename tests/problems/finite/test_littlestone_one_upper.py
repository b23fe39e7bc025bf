"""Tests of ``tacit.problems.finite.littlestone_one_upper``."""

from fractions import Fraction

from tests.problems.one_way.b20_learners_cases import ONE, SOME, TINY

from tacit.problems.finite import littlestone_one_upper as littlestone_one
from tacit.problems.one_way import sequences_upper as one_way
from tacit.problems.parities import parities_upper as parities
from tacit.problems.thresholds import interior_point_upper as interior_point


def test_sizes_beside_what_was_known():
    """Never worse than the explicit constants that were derived by hand before."""
    usual = {"alpha": Fraction(1, 10), "beta": SOME, "epsilon": ONE}
    assert one_way.pure(index_bits=7, seed_bits=7, **usual).n < 7700
    assert one_way.pure(index_bits=30, seed_bits=30, **usual).n < 87_000
    assert one_way.approximate(index_bits=7, seed_bits=7, delta=TINY, **usual).n < 4500
    assert one_way.approximate(index_bits=30, seed_bits=30, delta=TINY, **usual).n < 8300
    assert littlestone_one.stable(delta=TINY, **usual).n < 1500
    votes = {"beta": SOME, "epsilon": ONE, "delta": TINY}
    assert parities.block_votes(bits=16, **votes).n <= 858
    assert parities.block_votes(bits=64, **votes).n <= 2625
    prefix = [interior_point.stable_prefix(bits=b, **votes).n for b in (16, 64, 1000)]
    assert all(n <= known + 2 for n, known in zip(prefix, (302, 323, 363), strict=True))
    assert prefix == sorted(prefix)
