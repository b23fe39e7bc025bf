"""Tails of two-sided geometric noise, as balls and as safe whole numbers.

``Z`` has ``P(Z = z)`` proportional to ``q^|z|`` with ``q = exp(-1/scale)``.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from tacit.core.numbers import positive, probability
from tacit.exact.balls import Ball, ball, ceiling


def mass(scale: Fraction, z: int) -> Ball:
    """``P(Z = z) = (1 - q) / (1 + q) * q^|z|``."""
    q = (-1 / ball(scale)).exp()
    return (1 - q) / (1 + q) * (-ball(abs(z)) / ball(scale)).exp()


def at_least(scale: Fraction, m: int) -> Ball:
    """``P(Z >= m)``: ``q^m / (1 + q)`` for ``m >= 1``, and by symmetry below."""
    if m < 1:
        return 1 - at_least(scale, 1 - m)
    q = (-1 / ball(scale)).exp()
    return (-ball(m) / ball(scale)).exp() / (1 + q)


@lru_cache(maxsize=4096)
def width(scale: Fraction, chance: Fraction) -> int:
    """The least ``m >= 0`` with ``P(|Z| > m) <= chance``; in doubt one more, never one less.

    >>> width(Fraction(2), Fraction(1, 20))
    6
    """
    scale, chance = positive(scale, name="scale"), probability(chance, name="chance")

    def exact_width() -> Ball:  # P(|Z| > m) = 2 q^(m + 1) / (1 + q)
        q = (-1 / ball(scale)).exp()
        return -ball(scale) * (ball(chance) * (1 + q) / 2).log() - 1

    return max(0, ceiling(exact_width))


@lru_cache(maxsize=4096)
def reach(scale: Fraction, chance: Fraction) -> int:
    """The least ``m >= 1`` with ``P(Z >= m) <= chance``; in doubt one more, never one less.

    >>> reach(Fraction(2), Fraction(1, 10**6))
    27
    """
    scale, chance = positive(scale, name="scale"), probability(chance, name="chance")

    def exact_reach() -> Ball:
        q = (-1 / ball(scale)).exp()
        return -ball(scale) * (ball(chance).log() + (1 + q).log())

    return max(1, ceiling(exact_reach))
