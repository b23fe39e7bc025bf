"""The question turned round: what can be had with a given number of records.

Records needed fall as ``alpha`` grows and rise with ``k``, so bisection finds the border; the
answer is the side on which the plan was checked to fit. In ``epsilon`` they may rise again where a
draw spends all of it: it follows its records more closely, and less is proved of new ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import islice
from typing import Protocol

from tacit.core import BadInput, Task
from tacit.core.task import LEAST_EPSILON

_STEPS = 1000  # an answer is found to one part in so many
_GREATEST_EPSILON = Fraction(64)  # beyond it a task counts as out of reach
_STEEP = Fraction(3, 2)  # records that grow so much as epsilon is halved are the price of privacy
_HALVINGS = 10  # how often epsilon is halved to look for fewer records
_IDLE = 64  # an epsilon or an error this far below 1/n says nothing about n records


class Records(Protocol):
    def records(self, task: Task) -> int | None: ...


def _fits(task: Task, *, n: int, planner: Records) -> bool:
    records = _records(task, n=n, planner=planner)
    return records is not None and records <= n


def _records(task: Task, *, n: int | None, planner: Records) -> int | None:
    """Records that the task needs with what is left of epsilon once ``n`` records are counted.

    ``learn`` draws with exactly that (``Task.at``). Less is left where both label values are
    declared; a plan does not know, so the larger number of both cases is given.
    """
    if n is None:
        return planner.records(task)
    known = n if task.privacy.relation.size_is_public else None
    usual = task.at(known)
    records = planner.records(usual)
    if records is None or records > n or (other := task.at(known, declared=False)) == usual:
        return records
    more = planner.records(other)
    return None if more is None else max(records, more)


def least_alpha(task: Task, *, n: int, planner: Records) -> Fraction | None:
    """See ``Planner.least_alpha``."""
    high = _first_that_fits(task, n=n, planner=planner)
    if high is None:
        return None
    low = high / 2
    while _fits(task.with_(alpha=low), n=n, planner=planner):
        low, high = low / 2, low
        if high * n * _IDLE < 1:  # no error is too small: a class of one rule
            return high
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
    high = None
    for epsilon, records in _halved(task.with_(epsilon=_GREATEST_EPSILON), n=n, planner=planner):
        if records is not None and records <= n:
            high = epsilon
        if epsilon * n * _IDLE < 1:
            return high
    if high is None:
        return None
    return _narrow(
        high / 2, high, lambda value: _fits(task.with_(epsilon=value), n=n, planner=planner)
    )


def gentler(task: Task, *, n: int, planner: Records) -> tuple[Fraction, Fraction] | None:
    """See ``Planner.gentler``."""
    alpha = least_alpha(task, n=n, planner=planner)
    if alpha is None:
        return None
    few = fewest(task.with_(alpha=alpha), planner=planner)
    if few is None or few[0] == task.privacy.epsilon:
        return None
    less = least_alpha(task.with_(epsilon=few[0]), n=n, planner=planner)
    clearly = less is not None and less <= alpha * (1 - Fraction(5, _STEPS))
    return (few[0], less) if less is not None and clearly else None


def fewest(task: Task, *, planner: Records) -> tuple[Fraction, int] | None:
    """See ``Planner.fewest``."""
    tried = islice(_halved(task, n=None, planner=planner), _HALVINGS + 1)
    counted = ((at, records) for at, records in tried if records is not None)
    return min(counted, key=lambda one: one[1], default=None)


def _halved(
    task: Task, *, n: int | None, planner: Records
) -> Iterator[tuple[Fraction, int | None]]:
    """Records at the task's epsilon, half of it, and so on.

    The end is where more than ``n`` are needed and privacy alone makes them grow.
    """
    epsilon, last = task.privacy.epsilon, None
    while epsilon >= LEAST_EPSILON:
        records = _records(task.with_(epsilon=epsilon), n=n, planner=planner)
        yield epsilon, records
        if records is not None and last is not None and (n or 0) < records > _STEEP * last:
            return
        epsilon, last = epsilon / 2, records


def with_labels(task: Task, k: int) -> Task:
    """The task with so many labels, whose names say nothing about how many can be learned.

    Where labels have numbers of values of their own, those with most values come first.
    """
    each = sorted(task.label_values, key=len, reverse=True)
    few = [each[min(place, len(each) - 1)] for place in range(k)] if each else []
    if k == 1 and few:
        return task.with_(k=1, labels=(), label_values=(), values=len(few[0]), names=())
    return task.with_(k=k, labels=(), label_values=few)


def most_tasks(task: Task, *, n: int, planner: Records) -> int:
    """See ``Planner.most_tasks``."""
    if task.label_costs:
        raise BadInput(
            "costs of single labels are of those labels alone: how many labels can be learned is "
            "said without them"
        )
    # Some algorithms are for many labels only, and two may need more than five: as many as are
    # asked for are looked at first.
    asked = max(1, task.k)
    low, high = (
        (asked, 2 * asked) if _fits(with_labels(task, asked), n=n, planner=planner) else (0, 1)
    )
    while _fits(with_labels(task, high), n=n, planner=planner):
        low, high = high, 2 * high
        if high > 1 << 40:
            return low
    while high - low > 1:
        middle = (low + high) // 2
        if _fits(with_labels(task, middle), n=n, planner=planner):
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
