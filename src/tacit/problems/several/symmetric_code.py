"""Tardos' code with the symmetric score in closed form: whether so many columns suffice."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import flint
import numpy as np
import numpy.typing as npt

from tacit.exact.balls import Ball, at, ball

Floats = npt.NDArray[np.float64]
_BITS = 128
_SHARES = np.geomspace(1e-3, 0.4, 24)[:, None]
"""The cut-off, times the number of users: guides, not certifies."""
_RATES = np.geomspace(1e-4, 8, 64)[None, :]


@lru_cache(maxsize=1 << 14)
def suffices(*, columns: int, users: int, innocent: Fraction, missed: Fraction) -> bool:
    """Whether a code of ``columns`` columns for ``users`` users is certified to accuse a given
    user who took no part with at most ``innocent``, whatever the word, and nobody at all, if the
    word is feasible for all users, with at most ``missed``.

    >>> found = [suffices(columns=k, users=41, innocent=Fraction(1, 200), missed=Fraction(1, 10))
    ...          for k in (50_000, 100_000)]
    >>> found
    [False, True]
    """
    if innocent <= 0 or missed <= 0 or innocent >= 1 or missed >= 1:
        return False
    cutoff, limit, rate, coalition_rate, exponent = _guess(columns, users, float(innocent))
    if not exponent <= np.log(float(missed)):
        return False
    with at(_BITS):
        largest = ((1 - ball(cutoff)) / ball(cutoff)).sqrt()
        first = innocent_exponent(columns, largest, ball(limit), ball(rate))
        second = coalition_exponent(columns, users, cutoff, ball(limit), ball(coalition_rate))
        return bool(first <= ball(innocent).log() and second <= ball(missed).log())


def _guess(
    columns: int, users: int, innocent: float
) -> tuple[Fraction, Fraction, Fraction, Fraction, float]:
    """Parameters by floats: the cut-off, the limit of the score and two rates."""
    cutoff = _SHARES / users
    largest = np.sqrt((1 - cutoff) / cutoff)
    rates = _RATES / largest
    limits = -np.log(innocent) / rates + columns * _growth(_RATES) * rates
    limit = limits.min(axis=1, keepdims=True) * (1 + 1e-9)
    slow = _RATES / (users * largest)
    mean = 2 * (2 * (1 - cutoff) ** users - 1) / (np.pi - 4 * np.arcsin(np.sqrt(cutoff)))
    exponents = slow * users * limit + columns * (-slow * mean + _growth(_RATES) * slow**2 * users)
    row, column = np.unravel_index(int(np.argmin(exponents)), exponents.shape)
    numbers = (
        cutoff[row, 0],
        limit[row, 0],
        rates[row, int(np.argmin(limits[row]))],
        slow[row, column],
    )
    found = tuple(Fraction(float(number)) for number in numbers)
    return found[0], found[1], found[2], found[3], float(exponents[row, column])


def _growth(x: Floats) -> Floats:
    return np.asarray((np.expm1(x) - x) / x**2)


def innocent_exponent(columns: int, largest: Ball, limit: Ball, rate: Ball) -> Ball:
    """``-bZ + L h(bM) b^2``."""
    x = rate * largest
    return -rate * limit + columns * (x.expm1() - x) / (x * x) * rate * rate


def coalition_exponent(columns: int, users: int, cutoff: Fraction, limit: Ball, rate: Ball) -> Ball:
    """``acZ - L (a mu - h(acM) a^2 c)``, ``mu = 2 (2 (1-t)^c - 1) / (pi - 4 arcsin(sqrt t))``."""
    t = ball(cutoff)
    x = rate * users * ((1 - t) / t).sqrt()
    mean = 2 * (2 * (1 - t) ** users - 1) / (flint.arb.pi() - 4 * t.sqrt().asin())
    second = (x.expm1() - x) / (x * x) * rate * rate * users
    return rate * users * limit - columns * (rate * mean - second)
