"""Tails of discrete Gaussian noise, as safe whole numbers.

``Z`` has ``P(Z = z)`` proportional to ``exp(-z^2 / (2 variance))``. For ``m >= 1`` the sum of the
weights from ``m`` on is at most the integral from ``m - 1`` on, and the sum of all weights is at
least the whole integral (Poisson's summation formula), so ``P(Z >= m) <= P(N >= m - 1)`` for a
normal ``N`` of that variance (Canonne, Kamath and Steinke 2020, Proposition 25).
"""

from __future__ import annotations

from fractions import Fraction

from tacit.core.numbers import positive, probability
from tacit.exact.balls import above, ball


def gaussian_reach(variance: Fraction, chance: Fraction) -> int:
    """An ``m >= 1`` with ``P(Z >= m) <= chance``, at most about 2 above the least one.

    >>> gaussian_reach(Fraction(50), Fraction(1, 20))
    13
    """
    variance, chance = positive(variance, name="variance"), probability(chance, name="chance")

    def enough(m: int) -> bool:
        def tail() -> object:
            return (ball(m - 1) / (2 * ball(variance)).sqrt()).erfc() / 2

        return above(tail) <= chance

    low, high = 0, 1
    while not enough(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
