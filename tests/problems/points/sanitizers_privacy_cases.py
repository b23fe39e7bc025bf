"""Cases that several tests share: Every sanitizer's exact law on tiny domains, for all neighbours, from its own code."""

from fractions import Fraction
from itertools import product

import numpy as np
from tests.tools.sanitizer_laws import law_of_mechanism

from tacit.checks.testing import divergence
from tacit.core import Sample
from tacit.exact.balls import at, ball

ONE = Fraction(1)


def substitutions(size, n):
    """Ordered data sets that differ at one position, each pair both ways."""
    for left in product(range(size), repeat=n):
        for place, other in product(range(n), range(size)):
            if other != left[place]:
                yield left, (*left[:place], other, *left[place + 1 :])


def _bins(value):
    return value


def laws(mechanism, size, n, *, whole=True, seen=lambda value: value.rows):
    """The law on every data set; ordered ones where positions matter."""
    found = {}
    for data in product(range(size), repeat=n):
        key = tuple(sorted(data)) if whole else data
        if key not in found:
            x = np.array(key, dtype=np.int64)
            # A bare histogram takes the column itself.
            sample = x if seen is _bins else Sample(x, None)
            found[key] = law_of_mechanism(mechanism, sample, seen=seen)
    return {
        data: found[tuple(sorted(data)) if whole else data]
        for data in product(range(size), repeat=n)
    }


def worst(found, size, n, epsilon):
    """The largest divergence over all neighbours, and the most that cutting can have added."""
    with at(256):
        most, cut = ball(0), ball(0)
        for left, right in substitutions(size, n):
            most = most.max(divergence(found[left][0], found[right][0], epsilon))
            cut = cut.max(ball(epsilon).exp() * found[right][1] + found[left][1])
        return most, cut


def check(found, size, n, *, epsilon, delta=Fraction(0), loose=Fraction(1, 4)):
    """Private at ``epsilon``, within what was cut; not private at a fraction of it."""
    most, cut = worst(found, size, n, epsilon)
    with at(256):
        slack = ball(Fraction(1, 10**5))
        assert cut < slack
        assert most < ball(delta) + cut + ball(Fraction(1, 10**20))
        too_little, _ = worst(found, size, n, epsilon * loose)
        assert too_little > ball(delta) + slack, "a smaller epsilon must be found out"
