"""Bisection for the least number that satisfies a monotone condition."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil


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
    return _between(holds, low, high)


def least_near(holds: Callable[[int], bool], guess: float) -> int:
    """The least ``n >= 1`` at which a monotone ``holds`` is true, looked for around a guess.

    A good guess takes two questions; a bad one, however it was made, only takes more.
    """
    high = max(1, ceil(guess))
    step = 1
    if holds(high):
        low = high - step
        while low > 0 and holds(low):
            step *= 2
            high, low = low, low - step
        low = max(low, 0)
    else:
        low, high = high, high + step
        while not holds(high):
            step *= 2
            low, high = high, high + step
    return _between(holds, low, high)


def crossing(excess: Callable[[int], float], *, most: int) -> int:
    """The least ``n >= 1`` with ``excess(n) <= 0``, for an ``excess`` that falls smoothly.

    It is taken to hold at ``most``, unchecked: the caller knows another proof for it.
    Interpolation by the Illinois rule: an end that stays twice counts half, so that guesses
    do not creep; plain halving makes an end of it.
    """
    low, high = 0, most
    below = above = 0.0  # the excess at either end, once it is known
    moved = ""
    for step in range(80):
        if high - low <= 1:
            break
        if step == 0:
            guess = high - 1
        elif below > 0 > above and step < 20:
            guess = low + round((high - low) * below / (below - above))
        else:
            guess = low + (high - low) * 3 // 4 if low == 0 else (low + high) // 2
        guess = min(max(guess, low + 1), high - 1)
        value = excess(guess)
        if value <= 0:
            high, above = guess, min(value, -1e-12)
            below = below / 2 if moved == "high" else below
            moved = "high"
        else:
            low, below = guess, value
            above = above / 2 if moved == "low" else above
            moved = "low"
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


def _between(holds: Callable[[int], bool], low: int, high: int) -> int:
    """The least ``n`` above ``low`` at which a monotone ``holds`` is true; it is at ``high``."""
    while high - low > 1:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle
    return high
