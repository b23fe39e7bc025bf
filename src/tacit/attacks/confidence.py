"""What counts certainly say: Clopper and Pearson's interval, and an epsilon from two counts.

Limits are found with floats, then checked by balls: a returned limit is certified, and at
worst a little wider than the best one.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tacit.core import BadInput, NumericalDoubt
from tacit.exact.balls import at, ball, below

_BITS = 128
_WIDER = 1e-9


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

    ``P(O) <= exp(epsilon) P'(O) + delta`` gives ``epsilon >= ln((P(O) - delta) / P'(O))``;
    each of the two chances gets half of the level. 0 if the counts show nothing.

    >>> seen = Counts(here=900, runs_here=1000, there=100, runs_there=1000)
    >>> float(epsilon_below(seen, delta=Fraction(0), level=Fraction(1, 100)))  # doctest: +ELLIPSIS
    1.928...
    """
    low = lower(counts.here, counts.runs_here, level=level / 2) - delta
    high = upper(counts.there, counts.runs_there, level=level / 2)
    if low <= high or low <= 0:
        return Fraction(0)
    return max(Fraction(0), below(lambda: (ball(low) / ball(high)).log()))
