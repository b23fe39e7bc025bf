"""How many blocks must vote before their common vote can be released."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from tacit.bounds.search import least
from tacit.exact.balls import Ball, above, ball
from tacit.mechanisms.calibration import threshold_steps


def blocks_needed(
    *, epsilon: Fraction, delta: Fraction, failure: Fraction, agree: Fraction = Fraction(2, 3)
) -> int:
    """How many blocks release what each of them finds with probability ``agree``, above 1/2.

    >>> blocks_needed(epsilon=Fraction(1), delta=Fraction(1, 10**6), failure=Fraction(1, 40))
    159
    """
    steps = threshold_steps(epsilon=epsilon, delta=delta)

    def holds(blocks: int) -> bool:
        return above(lambda: _miss(blocks, steps, epsilon, agree)) <= failure

    return least(holds)


def _miss(blocks: int, steps: int, epsilon: Fraction, agree: Fraction) -> Ball:
    """``P(c + Z < 1 + steps or 2K <= l)``, ``c = ceil((2K - l)/2)``, ``K ~ Bin(l, agree)``."""
    shrink = (-ball(epsilon)).exp()
    yes, no, whole = agree.numerator, agree.denominator - agree.numerator, agree.denominator
    total = ball(0)
    for votes in range(blocks + 1):
        ways = comb(blocks, votes) * yes**votes * no ** (blocks - votes)
        mass = ball(Fraction(ways, whole**blocks))
        if 2 * votes <= blocks:
            total += mass
            continue
        # P(Z < m): r^(1 - m)/(1 + r) if m <= 0, else 1 - r^m/(1 + r).
        m = 1 + steps + (blocks - 2 * votes) // 2
        low = shrink ** (1 - m) / (1 + shrink) if m <= 0 else 1 - shrink**m / (1 + shrink)
        total += mass * low
    return total
