"""The question turned round: what can be had with a given number of records.

Records needed fall as ``alpha`` or ``epsilon`` grows and rise with ``k``, so bisection
finds the border; the answer is the side on which the plan was checked to fit.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Protocol

from tacit.core import Task

_STEPS = 1000  # an answer is found to one part in so many
_GREATEST_EPSILON = Fraction(64)  # beyond it a task counts as out of reach


class Records(Protocol):
    def records(self, task: Task) -> int | None: ...


def _fits(task: Task, *, n: int, planner: Records) -> bool:
    records = planner.records(task)
    return records is not None and records <= n


def least_alpha(task: Task, *, n: int, planner: Records) -> Fraction | None:
    """See ``Planner.least_alpha``."""
    high = _first_that_fits(task, n=n, planner=planner)
    if high is None:
        return None
    low = high / 2
    while _fits(task.with_(alpha=low), n=n, planner=planner):
        low, high = low / 2, low
    return _narrow(low, high, lambda value: _fits(task.with_(alpha=value), n=n, planner=planner))


def _first_that_fits(task: Task, *, n: int, planner: Records) -> Fraction | None:
    # Some algorithms apply below 1/2 or 1/4 only, so three starts are tried.
    for share in (1, 2, 4):
        alpha = Fraction(1, share) - Fraction(1, _STEPS)
        if _fits(task.with_(alpha=alpha), n=n, planner=planner):
            return alpha
    return None


def least_epsilon(task: Task, *, n: int, planner: Records) -> Fraction | None:
    """See ``Planner.least_epsilon``."""
    high = Fraction(1)
    while not _fits(task.with_(epsilon=high), n=n, planner=planner):
        if high >= _GREATEST_EPSILON:
            return None
        high *= 2
    low = high / 2
    while _fits(task.with_(epsilon=low), n=n, planner=planner):
        low, high = low / 2, low
    return _narrow(low, high, lambda value: _fits(task.with_(epsilon=value), n=n, planner=planner))


def most_tasks(task: Task, *, n: int, planner: Records) -> int:
    """See ``Planner.most_tasks``."""
    low, high = 0, 1
    while _fits(task.with_(k=high), n=n, planner=planner):
        low, high = high, 2 * high
        if high > 1 << 40:
            return low
    while high - low > 1:
        middle = (low + high) // 2
        if _fits(task.with_(k=middle), n=n, planner=planner):
            low = middle
        else:
            high = middle
    return low


def _narrow(low: Fraction, high: Fraction, fits: Callable[[Fraction], bool]) -> Fraction:
    # `high` fits, `low` does not; short decimals keep the answer readable.
    while high - low > high / _STEPS:
        middle = _short((low + high) / 2, between=(low, high))
        if fits(middle):
            high = middle
        else:
            low = middle
    return high


def _short(value: Fraction, *, between: tuple[Fraction, Fraction]) -> Fraction:
    # The decimal with fewest digits near the middle of the interval.
    low, high = between
    scale = 1
    while scale * (high - low) < 4:
        scale *= 10
    return Fraction(round(value * scale), scale)
