"""Cases that several tests share: The laws behind audit.exact: noise followed as far as needed, parts, hashes, closed forms."""

from fractions import Fraction as F

from tacit.domains import Integers
from tacit.exact.balls import at, ball

ONE, OVER = F(1), F(5, 4)


TWO = Integers(size=2)


POINTS = [(x, y) for x in range(2) for y in (0, 1)]


def near(left, right, slack=F(1, 1 << 60)):
    with at(200):
        return bool(abs(left - right) <= ball(slack))
