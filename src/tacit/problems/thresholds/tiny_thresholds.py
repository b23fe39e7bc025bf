"""Thresholds so small that every exact law over them can be followed."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tacit.core import Accuracy, Algorithm, Mechanism, Privacy, Task, Tiny, tiny_task
from tacit.core.tiny import labelled
from tacit.problems.thresholds.thresholds import Thresholds


def on_thresholds(
    entry: Algorithm, *, delta: Fraction = Fraction(0), odd: Any = (40, 0), **more: Any
) -> Tiny:
    """Three values exactly, 64 values sampled."""
    return tiny_task(
        entry,
        Thresholds(size=3),
        Thresholds(bits=6),
        records=labelled(range(3)),
        usual=(20, 1),
        odd=odd,
        delta=delta,
        **more,
    )


def on_threshold_queries(entry: Algorithm, *, delta: Fraction = Fraction(0)) -> Tiny:
    """Synthetic tables of two values exactly, of 16 values sampled."""
    return tiny_task(
        entry, Thresholds(size=2), Thresholds(bits=4), records=(0, 1), usual=1, odd=3, delta=delta
    )


def coarse_thresholds(
    entry: Algorithm, epsilon: Fraction, n: int, delta: Fraction
) -> Mechanism[object, object]:
    """The algorithm as it is planned for two values that may be nearly half wrong."""
    task = Task(
        Thresholds(size=2),
        privacy=Privacy(epsilon, delta),
        accuracy=Accuracy("0.49", "0.49"),
        goal="sanitize",
    )
    return entry.built(task, n)
