"""Biased coins whose bias is exact.

The coin of probability ``exp(-x)`` follows Canonne, Kamath and Steinke (2020): the
number of successes before the first failure of coins ``x/1, x/2, ...`` is even with
exactly that probability. Integer arithmetic only; ``coins.proof.md``.
"""

from __future__ import annotations

from fractions import Fraction

from tacit.core import BadInput, Rng


def bernoulli(rng: Rng, p: Fraction) -> bool:
    """True with probability ``p``, a rational in [0, 1]."""
    return rng.below(p.denominator) < p.numerator


def _exp_up_to_one(rng: Rng, numerator: int, denominator: int) -> bool:
    k = 1
    while rng.below(denominator * k) < numerator:
        k += 1
    return bool(k & 1)


def bernoulli_exp(rng: Rng, x: Fraction) -> bool:
    """True with probability ``exp(-x)``, for a rational ``x >= 0``."""
    if x < 0:
        raise BadInput("exp(-x) is a probability only for x >= 0")
    whole, rest = divmod(x.numerator, x.denominator)
    for _ in range(whole):
        if not _exp_up_to_one(rng, 1, 1):
            return False
    return _exp_up_to_one(rng, rest, x.denominator)
