"""Point functions so small that every exact law over them can be followed."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tacit.core import Algorithm, Tiny, tiny_task
from tacit.core.tiny import TWO_LABELS, labelled
from tacit.domains.integers import Integers
from tacit.problems.points.points import Points

TWO = Integers(size=2)
POINTS = labelled(range(2))
ONES = [(0, 1), (1, 1)]
SEVERAL = labelled(range(2), TWO_LABELS)


def on_points(
    entry: Algorithm,
    *,
    delta: Fraction = Fraction(0),
    usual: Any = (5, 1),
    odd: Any = (6, 1),
    **more: Any,
) -> Tiny:
    """Two points exactly, 64 points sampled."""
    return tiny_task(
        entry,
        Points(size=2),
        Points(bits=6),
        records=POINTS,
        usual=usual,
        odd=odd,
        delta=delta,
        **more,
    )


def on_several_points(entry: Algorithm, *, delta: Fraction = Fraction(0)) -> Tiny:
    """Two tasks at once."""
    return tiny_task(
        entry,
        Points(size=2),
        Points(bits=6),
        records=SEVERAL,
        usual=(5, (1, 0)),
        odd=(6, (1, 1)),
        delta=delta,
        k=2,
    )


def on_point_queries(entry: Algorithm, *, delta: Fraction = Fraction(0)) -> Tiny:
    """Synthetic tables of two values exactly, of 16 values sampled."""
    return tiny_task(
        entry, Points(size=2), Points(bits=4), records=(0, 1), usual=1, odd=3, delta=delta
    )
