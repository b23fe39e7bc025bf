"""Cases that several tests share: Thresholds under label privacy: exact privacy, and exact failure on the law that bites."""

from fractions import Fraction as F
from math import comb

ALPHA, BETA = F(1, 10), F(1, 20)


def _chances(n, masses):
    """All ways to throw ``n`` records onto atoms, with their probabilities."""
    if len(masses) == 1:
        yield (n,), masses[0] ** n
        return
    first, *rest = masses
    for count in range(n + 1):
        share = comb(n, count) * first**count
        for others, chance in _chances(n - count, rest):
            yield (count, *others), share * chance
