"""Cases that several tests share: audit.exact: laws found by following every draw, certified losses, and what it catches."""

from fractions import Fraction as F

from tacit.domains import Integers
from tacit.exact.balls import at, ball

ONE, OVER = F(1), F(5, 4)


TWO = Integers(size=2)


def close(left, right):
    with at(200):
        return bool(abs(left - right) < ball(F(1, 1 << 60)))
