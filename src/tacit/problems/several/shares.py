"""What each of several selections may spend of one budget."""

from __future__ import annotations

from fractions import Fraction

from tacit.bounds.upper.adaptive import adaptive_share
from tacit.bounds.upper.weights import concentrated
from tacit.exact.balls import ball, below
from tacit.mechanisms.calibration import round_down

MOST_FOLLOWED = 64
"""Up to so many selections their exact cost is followed: time grows with the square of them."""


def share(*, epsilon: Fraction, delta: Fraction, k: int) -> Fraction:
    """What each of ``k`` selections may spend; rounded down.

    Basic composition, or zCDP: a selection at ``e`` is ``e^2/8``-zCDP.
    """
    basic = epsilon / k
    if delta == 0:
        return basic
    rho = concentrated(epsilon=epsilon, delta=delta)
    together = round_down(below(lambda: (8 * ball(rho) / k).sqrt()))
    return max(basic, together)


def equal_share(*, epsilon: Fraction, delta: Fraction, k: int) -> Fraction:
    """What each of ``k`` selections of equal range may spend that are all there is; rounded down.

    The best of basic composition, zCDP and, up to ``MOST_FOLLOWED`` selections, the exact cost of
    the worst adaptive sequence.
    """
    plain = share(epsilon=epsilon, delta=delta, k=k)
    if delta == 0 or not 1 < k <= MOST_FOLLOWED:
        return plain
    return max(plain, adaptive_share(epsilon=epsilon, delta=delta, k=k))
