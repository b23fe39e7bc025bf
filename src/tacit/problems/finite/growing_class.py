"""Agnostic learning of a finite class whose growth function is known."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from tacit.bounds.upper import deviations
from tacit.core import (
    ALGORITHMS,
    Algorithm,
    Applies,
    BadInput,
    Condition,
    SampleBound,
    Task,
    Tiny,
)
from tacit.problems.finite.finite_class import learner_for
from tacit.problems.points.tiny_points import on_points
from tacit.problems.tables.drawn import DRAWN


@runtime_checkable
class Grows(Protocol):
    """A class that knows in how many ways it labels ``n`` values."""

    def log_growth(self, n: int) -> float:
        """Not below the logarithm of that number."""
        ...


def _samples(task: Task) -> SampleBound:
    concepts = task.concept_class
    if not isinstance(concepts, Grows) or concepts.size is None:
        raise BadInput("this algorithm needs a finite class with a growth function")
    return deviations.growth(
        size=concepts.size,
        log_growth=concepts.log_growth,
        **task.asked("alpha", "beta", "epsilon", "relation"),
    )


def _tiny(entry: Algorithm) -> Tiny:
    return on_points(entry, usual=(20, 1), odd=(40, 0), setting="agnostic")


GROWING_CLASS = ALGORITHMS.add(
    Algorithm(
        name="growing-class",
        summary="draw a concept with weight exp(-rate * mistakes); its size costs privacy, its "
        "growth function sampling",
        applies=Applies(
            proper=True,
            settings=("agnostic",),
            further=(
                Condition(
                    "a class whose growth function is known",
                    lambda task: isinstance(task.concept_class, Grows),
                ),
            ),
        ),
        claim=deviations.GROWTH,
        bound=_samples,
        build=lambda task, bound, size: learner_for(task, bound, size.n),
        certify=DRAWN,
        tiny=_tiny,
    )
)
