"""Bisection for the least number that satisfies a monotone condition."""

from __future__ import annotations

from collections.abc import Callable


def least(holds: Callable[[int], bool], *, most: int | None = None) -> int:
    """The least ``n >= 1`` at which ``holds`` is true.

    With ``most`` the answer is at most that, unchecked there: the caller knows another
    proof for it. ``holds`` need only be monotone for the answer to be least; whatever
    is returned below ``most`` was found to hold.
    """
    low, high = 0, most if most is not None else 1
    if most is None:
        while not holds(high):
            low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle
    return high


def down(holds: Callable[[int], bool], start: int) -> int:
    """The least ``n >= 1`` at which a monotone ``holds`` is true, known to be near ``start``."""
    high, step = start, 1
    while high > 1 and holds(max(1, high - step)):
        high, step = max(1, high - step), 2 * step
    low = max(0, high - step)
    while high - low > 1:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle
    return high


def greatest(holds: Callable[[int], bool], *, least: int = 0) -> int:
    """The greatest ``n`` at which a monotone ``holds``, true up to ``least``, is still true.

    It is not asked at ``least`` or below; whatever is returned above was found to hold.
    """
    low, step = least, 1
    while holds(low + step):
        low, step = low + step, 2 * step
    high = low + step
    while high - low > 1:
        middle = (low + high) // 2
        if holds(middle):
            low = middle
        else:
            high = middle
    return low
