"""Cases that several tests share: Parities: elimination against brute force, votes and secret subsamples exactly."""

from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np

from tacit.exact.balls import ball


def parity(mask, x):
    return (mask & x).bit_count() & 1


def solutions(data, bits):
    return [m for m in range(1 << bits) if all(parity(m, x) == y for x, y in data)]


def arrays(data):
    x = np.array([record[0] for record in data], dtype=np.uint64)
    return x, np.array([record[1] for record in data], dtype=bool)


def attempt_law(data, *, bits, rate, lost):
    """One try: keep each record with probability ``rate``, draw a uniform solution."""
    law = Counter()
    for kept in product((False, True), repeat=len(data)):
        chance = Fraction(1)
        for keep in kept:
            chance *= rate if keep else 1 - rate
        wanted = solutions([r for r, keep in zip(data, kept, strict=True) if keep], bits)
        for mask in wanted:
            law[mask] += (1 - lost) * chance / len(wanted)
        law[None] += (1 - lost) * chance * (not wanted)
    law[None] += lost
    assert sum(law.values()) == 1
    return {output: ball(mass) for output, mass in law.items()}
