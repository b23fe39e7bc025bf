"""Parameters of learners that split their records into parts, when there are too few of them."""

from __future__ import annotations

from fractions import Fraction

from tacit.core import SampleBound, Task


def share(bound: SampleBound, records: int, n: int) -> int:
    """A part of ``records`` as the theorem plans it, or in proportion if ``n`` is too small."""
    return records if n >= bound.n else records * n // bound.n


def last_epsilon(task: Task, bound: SampleBound, n: int) -> Fraction:
    """What the closing selection spends: as the theorem asks, or all if ``n`` is too small."""
    asked: Fraction = bound.choices["selection"]["epsilon"]
    return asked if n >= bound.n else task.privacy.epsilon
