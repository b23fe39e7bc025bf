"""The hash family: exactly pairwise independent up to 33 bits, and not beyond."""

import numpy as np
import pytest
from scipy import stats

from tacit.checks.testing import seeded
from tacit.core import BadInput
from tacit.domains import Integers
from tacit.problems.points.hashes import MOST_BUCKET_BITS, Hash, HashedPoints


def _formula(chosen, value):
    """The definition, in Python integers."""
    total = chosen.offset
    for place, multiplier in enumerate(chosen.multipliers):
        total += multiplier * (value >> 32 * place & 0xFFFFFFFF)
    return total % 2**64 >> (64 - chosen.bits)


@pytest.mark.parametrize("bits", [1, 5, 33])
@pytest.mark.parametrize("width", [1, 31, 32, 33, 64, 65, 1000])
def test_hashes_follow_their_formula(width, bits):
    domain = Integers(bits=width)
    chosen = Hash.draw(seeded(width), domain=domain, bits=bits)
    assert len(chosen.multipliers) == -(-width // 32)
    rng = seeded("values")
    values = [rng.below(domain.size) for _ in range(40)] + [0, domain.size - 1]
    assert chosen(domain.coerce(values)).tolist() == [_formula(chosen, v) for v in values]


def test_parities_betray_a_hash_of_34_bits():
    """Built by hand (drawing refuses it), a 34-bit hash gives two far values equal parity."""
    rng = seeded("parity")
    for bits, constant in ((33, False), (34, True)):
        equal = set()
        for _ in range(200):
            chosen = Hash((rng.bits(64),), rng.bits(64), bits)
            first, second = chosen(np.array([0, 2**31], dtype=np.uint64)).tolist()
            equal.add((first ^ second) & 1)
        assert (equal == {0}) is constant


@pytest.mark.parametrize("pair", [(0, 1), (0, 2**31), (5, 5 + 2**32), (2**63, 0), (1, 2**64 - 1)])
def test_pairs_look_independent(pair):
    rng, domain = seeded(f"pair {pair}"), Integers(bits=64)
    values = domain.coerce(np.array(pair, dtype=np.uint64))
    counts = np.zeros(16)
    for _ in range(20_000):
        first, second = Hash.draw(rng, domain=domain, bits=2)(values).tolist()
        counts[4 * first + second] += 1
    assert stats.chisquare(counts).pvalue > 1e-6
    skewed = np.where(np.arange(16) % 5 == 0, 1.15, 0.95)
    assert stats.chisquare(counts, 1250 * skewed).pvalue < 1e-6


def test_too_many_bits_are_refused():
    for bits in (0, MOST_BUCKET_BITS + 1):
        with pytest.raises(BadInput, match="bits"):
            Hash.draw(seeded(0), domain=Integers(bits=8), bits=bits)


def test_candidates_are_buckets_of_hashes():
    domain = Integers(bits=16)
    hashes = tuple(Hash.draw(seeded(k), domain=domain, bits=3) for k in range(2))
    concepts = HashedPoints(domain, hashes)
    assert (concepts.size, concepts.buckets) == (16, 8)
    rule = concepts.hypothesis(11)
    assert (rule.hash, rule.bucket) == (hashes[1], 3)
    x = np.arange(1000)
    assert rule.predict(x).tolist() == (hashes[1](domain.coerce(x)) == 3).tolist()
