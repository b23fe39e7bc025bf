"""Binomial tails by balls, for any size and any chance: upper bounds that are nearly tight."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from tacit.exact.balls import Ball, above, ball
from tacit.exact.geometric_tails import at_least, mass

_FAINT = Fraction(1, 1 << 80)
"""A chance below this one is counted as this one, and those that are smaller still with it."""


def at_most(*, n: int, p: Fraction, count: int) -> Fraction:
    """Not below ``P(Bin(n, p) <= count)``.

    Below the mode the masses fall at least as fast as a geometric series, so the tail is
    at most its last mass over one minus the ratio.

    >>> float(at_most(n=100, p=Fraction(1, 10), count=2))  # doctest: +ELLIPSIS
    0.00198...
    """
    if count < 0:
        return Fraction(0)
    ratio = count * (1 - p) / ((n - count + 1) * p) if count < n else Fraction(1)
    if ratio >= 1:
        return Fraction(1)
    return min(Fraction(1), above(lambda: _mass(n=n, p=p, k=count)) / (1 - ratio))


def log_at_most(*, n: int, p: Fraction, count: int) -> Ball:
    """Not below the logarithm of ``P(Bin(n, p) <= count)``, however small that is.

    >>> float(log_at_most(n=10**6, p=Fraction(1, 2), count=0))  # doctest: +ELLIPSIS
    -693147.18...
    """
    ratio = count * (1 - p) / ((n - count + 1) * p) if count < n else Fraction(1)
    if ratio >= 1:
        return ball(0)
    return _log_mass(n=n, p=p, k=count) - ball(1 - ratio).log()


def _log_mass(*, n: int, p: Fraction, k: int) -> Ball:
    choose = ball(n + 1).lgamma() - ball(k + 1).lgamma() - ball(n - k + 1).lgamma()
    return choose + k * ball(p).log() + (n - k) * ball(1 - p).log()


def _mass(*, n: int, p: Fraction, k: int) -> Ball:
    return _log_mass(n=n, p=p, k=k).exp()


def noisy_below(*, n: int, p: Fraction, scale: Fraction, threshold: int) -> Fraction:
    """Not below ``P(Bin(n, p) + Z < threshold)``, ``Z`` two-sided geometric of this scale."""
    # With noise below ``first`` the count may be ``sure`` or more, which is charged in full: from
    # there on ``at_most`` is 1. Above the threshold it cannot fail.
    sure = min(n, ceil((n + 1) * p))
    first = threshold - sure
    total = above(lambda: at_least(scale, 1 - first))
    for z in range(first, threshold):
        chance = at_most(n=n, p=p, count=threshold - 1 - z)
        if chance < _FAINT:  # and no greater with more noise, whose masses are at most 1 in all
            return total + _FAINT
        total += above(lambda c=chance, z=z: ball(c) * mass(scale, z), bits=64)  # type: ignore[misc]
    return total
