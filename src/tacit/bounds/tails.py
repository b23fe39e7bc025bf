r"""Sums over a binomial law in float64, with a proved relative error.

Only correctly rounded operations (+, -, *, /) touch the floats, starting from a value
that a ball enclosed; a product chain of ``m`` steps and a sum of ``m`` positive terms
are then off by a relative ``4 m 2**-53`` at most. Windows have at most ``2**20`` cells,
so ``SLACK`` covers every chain used here many times over. What the window leaves out is
bounded by a geometric series and handed back as ``missing``.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import inf, isqrt, nextafter

import numpy as np
from numpy.typing import NDArray

from tacit.exact.balls import Ball, above, ball

Floats = NDArray[np.float64]

SLACK = 1 + 1e-8
"""Covers every relative rounding error of this file; see the module's first lines."""

_WIDTH = 7  # standard deviations on either side that are summed term by term
_TINY = 1e-250  # stands for whatever underflows: a tail is never too small
_HALF = Fraction(1, 2)
_FAIR = 1 << 16  # half the most fair coins whose middle term comes from a table


def float_above(value: Fraction) -> float:
    """A float that is not below ``value``."""
    near = value.numerator / value.denominator
    return near if Fraction(near) >= value else nextafter(near, inf)


@dataclass(frozen=True, slots=True)
class Window:
    """``weights[i]`` is ``P(K = start + i)`` up to ``SLACK``; ``missing`` bounds the rest."""

    start: int
    weights: Floats
    missing: float

    @property
    def stop(self) -> int:
        return self.start + len(self.weights)


@lru_cache(maxsize=512)
def binomial(n: int, p: Fraction) -> Window:
    """The part of ``Bin(n, p)`` within about seven standard deviations of its mode."""
    mode = min(n, int((n + 1) * p))
    reach = _WIDTH * (isqrt(int(n * p * (1 - p))) + 1) + 2 * _WIDTH
    start, stop = max(0, mode - reach), min(n, mode + reach)
    peak = _peak(n=n, p=p, mode=mode)
    # Rounding the odds keeps the chains correct to one more unit per step.
    odds = p.numerator / (p.denominator - p.numerator)
    up = np.arange(mode, stop, dtype=np.float64)
    down = np.arange(mode, start, -1, dtype=np.float64)
    rising = np.cumprod((n - up) / (up + 1) * odds)
    falling = np.cumprod(down / (n - down + 1) / odds)
    weights = np.concatenate([falling[::-1], [1.0], rising]) * peak
    missing = _TINY
    if start > 0:
        ratio = start / (n - start + 1) / odds
        missing += float(weights[0]) * ratio / (1 - ratio)
    if stop < n:
        ratio = (n - stop) / (stop + 1) * odds
        missing += float(weights[-1]) * ratio / (1 - ratio)
    return Window(start=start, weights=weights, missing=missing * SLACK)


def _peak(*, n: int, p: Fraction, mode: int) -> float:
    # Up to SLACK; a table serves fair coins, whose windows are asked for by the hundred.
    if p == _HALF and n <= 2 * _FAIR:
        return float(_fair_peaks()[(n + 1) // 2])
    return float_above(above(lambda: _mass(n=n, p=p, k=mode)))


@lru_cache(maxsize=1)
def _fair_peaks() -> Floats:
    # C(2m, m) / 4^m = prod (2i-1)/(2i); an odd number of coins has the peak of the next even one.
    twice = 2 * np.arange(1, _FAIR + 1, dtype=np.float64)
    return np.concatenate([[1.0], np.cumprod((twice - 1) / twice)])


def _mass(*, n: int, p: Fraction, k: int) -> Ball:
    # P(Bin(n, p) = k) as a ball.
    choose = ball(n + 1).lgamma() - ball(k + 1).lgamma() - ball(n - k + 1).lgamma()
    hits = ball(p).log() * k if k else ball(0)
    misses = ball(1 - p).log() * (n - k) if n > k else ball(0)
    return (choose + hits + misses).exp()


def fading(*, log_size: Fraction, rate: Fraction, start: int, count: int) -> Floats:
    """``size * exp(-rate * k)`` for ``k = start, ..., start + count - 1``, up to ``SLACK``.

    ``log_size`` is not below ``ln(size)``. Values beyond the range of a float become
    ``inf`` at one end; at the other they stay above zero, so nothing is lost.
    """
    if count <= 0:
        return np.empty(0)
    centre = min(max(log_size // rate, start), start + count - 1)
    gap = log_size - rate * centre
    if gap > 700:
        return np.full(count, np.inf)
    if gap < -700:
        return np.full(count, _TINY)
    anchor = float_above(above(lambda: ball(gap).exp()))
    after, before = start + count - 1 - centre, centre - start
    with np.errstate(over="ignore", under="ignore", divide="ignore"):
        powers = np.cumprod(np.full(max(after, before), _step(rate)))
        falling = anchor * powers[:after]
        rising = anchor / powers[:before]
    values: Floats = np.maximum(np.concatenate([rising[::-1], [anchor], falling]), _TINY)
    return values


@lru_cache(maxsize=512)
def _step(rate: Fraction) -> float:
    return float_above(above(lambda: ball(-rate).exp()))


def failure(weight: Floats, *, selector: str) -> Floats:
    """At most this chance of a wrong choice when wrong ones weigh ``weight`` against one
    right one of weight 1: ``w/(1+w)``, and for permute-and-flip at most ``w/2`` as well.
    """
    with np.errstate(divide="ignore"):
        chance = 1 / (1 + 1 / weight)
    return np.minimum(chance, weight / 2) if selector == "permute-and-flip" else chance


def noise_below(scale: Fraction, *, limit: int, start: int, count: int) -> Floats:
    """``P(k + Z < limit)`` for ``k = start, ...``, ``Z`` two-sided geometric; up to ``SLACK``."""
    q = float_above(above(lambda: (-1 / ball(scale)).exp()))
    spare = np.arange(start, start + count) - limit + 1  # Z <= -spare
    with np.errstate(under="ignore"):
        far = np.maximum(q ** np.abs(spare).astype(np.float64), _TINY)
    # P(Z <= -s) is q^s/(1+q) for s >= 0, and 1 - q^(1-s)/(1+q) for s < 0.
    chances: Floats = np.where(spare >= 0, far / (1 + q), 1 - far * q * (1 - 1e-9) / (1 + q))
    return chances


def noisy_short(*, n: int, p: Fraction, scale: Fraction, limit: int) -> float:
    """Not below ``P(Bin(n, p) + Z < limit)``, ``Z`` two-sided geometric of this scale."""
    window = binomial(n, p)
    short = noise_below(scale, limit=limit, start=window.start, count=len(window.weights))
    return (float(np.dot(window.weights, short)) + window.missing) * SLACK
