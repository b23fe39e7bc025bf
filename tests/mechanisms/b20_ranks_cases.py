"""Cases that several tests share: Exact privacy of interior points and robust minima over all neighbours."""

from fractions import Fraction

from tacit.checks.testing import exact_epsilon, neighbours
from tacit.domains import Integers
from tacit.exact.balls import ball

VALUES = range(4)


DOMAIN = Integers(size=4)


LAST_DIGIT = Fraction(1, 1 << 180)


def worst_ratio(law, records, n, relation):
    laws, worst = {}, ball(0)
    for left, right in neighbours(records, n, relation):
        for data in (left, right):
            if data not in laws:
                laws[data] = law(data)
        worst = worst.max(exact_epsilon(laws[left], laws[right]))
    return worst
