"""Cases that several tests share: Permute-and-flip: the two-uniform form has the stated law, and the sampler follows it."""

from fractions import Fraction

import numpy as np

from tacit.exact.balls import ball
from tacit.exact.levels import Levels


def _levels(errors, counts):
    kind = object if max(counts) >= 1 << 63 else np.uint64
    return Levels(np.array(errors, dtype=np.int64), np.array(counts, dtype=kind))


def _coins(levels, rate):
    least = int(levels.errors[0])
    return [
        (int(count), (-ball(rate) * (int(error) - least)).exp())
        for error, count in zip(levels.errors, levels.counts, strict=True)
    ]


def _log_survival(coins, s):
    return sum((n * (-p * s).log1p() for n, p in coins), ball(0))


def _root(coins, u, bits):
    """The ``s`` with ``S(s) = u`` for a rational ``u``, by bisection alone."""
    low, high = Fraction(0), Fraction(1)
    goal = ball(u).log()
    for _ in range(bits):
        middle = (low + high) / 2
        if _log_survival(coins, ball(middle)) > goal:
            low = middle
        else:
            high = middle
    return ball(low).union(ball(high))


CASES = {
    "two": (_levels([0, 1], [1, 1]), Fraction(1)),
    "several": (_levels([2, 3, 5], [1, 4, 2]), Fraction(1, 2)),
    "no lone winner": (_levels([0, 2], [3, 5]), Fraction(2, 3)),
    "a crowd behind": (_levels([0, 30], [1, 10**9]), Fraction(7, 10)),
    "huge": (_levels([0, 60], [2, 1 << 80]), Fraction(1)),
}
