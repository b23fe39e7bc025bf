"""What counts certainly say: Clopper and Pearson's interval, and an epsilon from two counts.

Limits are found with floats, then checked by balls: a returned limit is certified, and at
worst a little wider than the best one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from tacit.core import BadInput, NumericalDoubt
from tacit.exact.balls import Ball, at, ball

_BITS = 128
_TAIL_BITS = 64
_WIDER = 1e-9
_LARGEST = 40.0
_CLOSE = 1e-8  # of an epsilon in floats, from which a certified one is a millionth off
_NARROWER = 9  # times that a grid is cut to a tenth around its peak


def _at_least(successes: int, trials: int, p: Fraction, level: Fraction) -> bool:
    """Whether certainly ``P(Bin(trials, p) >= successes) <= level``."""
    with at(_BITS):
        tail = ball(p).beta_lower(successes, trials - successes + 1, regularized=True)
        return bool(tail <= ball(level))


def lower(successes: int, trials: int, *, level: Fraction) -> Fraction:
    """Below the true chance, but for a probability of at most ``level``.

    >>> float(lower(50, 100, level=Fraction(1, 20)))  # doctest: +ELLIPSIS
    0.4136...
    """
    from scipy.stats import beta

    if not 0 <= successes <= trials or trials < 1 or not 0 < level < 1:
        raise BadInput("an interval needs 0 <= successes <= trials and a level inside (0, 1)")
    if successes == 0:
        return Fraction(0)
    start = float(beta.ppf(float(level), successes, trials - successes + 1))
    widen = _WIDER
    while widen < 1:
        guess = Fraction(max(0.0, start * (1 - widen)))
        if guess == 0 or _at_least(successes, trials, guess, level):
            return guess
        widen *= 4
    raise NumericalDoubt("a confidence limit could not be certified")


def upper(successes: int, trials: int, *, level: Fraction) -> Fraction:
    """Above the true chance, but for a probability of at most ``level``."""
    return 1 - lower(trials - successes, trials, level=level)


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """How often an event was seen on one data set and on its neighbour."""

    here: int
    runs_here: int
    there: int
    runs_there: int

    def swapped(self) -> Counts:
        """The same event, seen from the neighbour."""
        return Counts(
            here=self.there, runs_here=self.runs_there, there=self.here, runs_there=self.runs_here
        )


def epsilon_below(counts: Counts, *, delta: Fraction, level: Fraction) -> Fraction:
    """An epsilon that the mechanism certainly exceeds, but for a probability ``level``.

    ``P(O) <= exp(epsilon) P'(O) + delta`` for every event ``O``. Clopper and Pearson's two
    tails are combined as Fisher's method does, which saves up to half of the runs that intervals
    for each chance need. 0 if the counts show nothing. Proof: ``checks/audit/estimation.proof.md``.

    >>> seen = Counts(here=900, runs_here=1000, there=100, runs_there=1000)
    >>> float(epsilon_below(seen, delta=Fraction(0), level=Fraction(1, 100)))  # doctest: +ELLIPSIS
    1.936...
    """
    if not 0 < level < 1 or counts.here > counts.runs_here or counts.there > counts.runs_there:
        raise BadInput("a bound needs counts of at most all runs and a level inside (0, 1)")
    most = _product(level)
    if _peak(counts, 0.0, float(delta))[1] > math.log(most):
        return Fraction(0)
    low, high = 0.0, 1.0
    while high < _LARGEST and _peak(counts, high, float(delta))[1] <= math.log(most):
        low, high = high, 2 * high
    while high - low > _CLOSE:
        middle = (low + high) / 2
        if _peak(counts, middle, float(delta))[1] <= math.log(most):
            low = middle
        else:
            high = middle
    step = 1e-6
    while step < low:
        guess = Fraction(low - step)
        if _refuted(counts, guess, delta, most):
            return guess
        step *= 4
    return Fraction(0)


def _product(level: Fraction) -> float:
    """A ``t`` with ``t (1 - ln t) <= level``: two independent p-values multiply to at most
    ``t`` with at most that probability.
    """
    t = float(level)
    for _ in range(100):
        t = float(level) / (1 - math.log(t))
    t *= 1 - 1e-12
    with at(_BITS):
        product = ball(Fraction(t))
        if not product * (1 - product.log()) <= ball(level):
            raise NumericalDoubt("a level could not be certified")
    return t


def _peak(counts: Counts, epsilon: float, delta: float) -> tuple[float, float, float]:
    """In floats: where on ``p = exp(epsilon) q + delta`` the counts are least surprising, the
    logarithm of how surprising they are there, and about how wide the peak is.
    """
    from scipy.special import betainc

    n, x, m, y = counts.runs_here, counts.here, counts.runs_there, counts.there
    factor = math.exp(epsilon)

    def surprise(q: Any) -> Any:
        p = np.clip(factor * q + delta, 0.0, 1.0)
        here = betainc(x, n - x + 1, p) if x else np.ones_like(q)
        there = betainc(m - y, y + 1, 1 - np.clip(q, 0.0, 1.0)) if y < m else np.ones_like(q)
        with np.errstate(divide="ignore"):
            return np.log(here) + np.log(there)

    ends = sorted((y / m, (x / n - delta) / factor))
    spread = math.sqrt((y + 1) / m / m) + math.sqrt((x + 1) / n / n) / factor
    low, high = ends[0] - 3 * spread, ends[1] + 3 * spread
    for _ in range(_NARROWER):
        grid = np.linspace(low, high, 41)
        values = surprise(grid)
        best = int(np.argmax(values))
        low, high = grid[max(0, best - 2)], grid[min(40, best + 2)]
    return float(grid[best]), float(values[best]), spread


def _refuted(counts: Counts, epsilon: Fraction, delta: Fraction, most: float) -> bool:
    """Whether the product of the tails is certainly at most ``most`` all along the line.

    Its logarithm is concave, so three points bound it everywhere: beyond a side point that
    is lower than the middle one it falls, and before it lies below the line from the other.
    """
    q, _, spread = _peak(counts, float(epsilon), float(delta))
    missed = counts.runs_there - counts.there
    with at(_TAIL_BITS):
        factor = ball(epsilon).exp()

        def surprise(place: Fraction) -> Ball:
            here = _tail(factor * ball(place) + ball(delta), counts.here, counts.runs_here)
            return (here * _tail(1 - ball(place), missed, counts.runs_there)).log()

        middle = surprise(Fraction(q))
        for finer in range(1, 5):
            # The peak may be as sharp as a corner, where p reaches 1.
            step = Fraction(spread) / 64**finer
            left, right = surprise(Fraction(q) - step), surprise(Fraction(q) + step)
            highest = (2 * middle - left).max(2 * middle - right)
            falls = left <= middle and right <= middle
            if falls and highest <= ball(Fraction(most)).log():
                return True
    return False


def _tail(p: Ball, successes: int, trials: int) -> Ball:
    """``P(Bin(trials, p) >= successes)``, also for ``p`` outside of [0, 1]."""
    if successes == 0 or p >= 1:
        return ball(1)
    if p <= 0:
        return ball(0)
    return p.min(ball(1)).beta_lower(successes, trials - successes + 1, regularized=True)
