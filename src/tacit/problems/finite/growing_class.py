"""Agnostic learning of a finite class whose growth function is known."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from tacit.bounds.upper import deviations
from tacit.core import ALGORITHMS, Algorithm, BadInput, SampleBound, Task
from tacit.problems.finite.applies import refusal
from tacit.problems.finite.finite_class import learner_for


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


def _refuses(task: Task) -> str | None:
    if not isinstance(task.concept_class, Grows):
        return "needs a class whose growth function is known"
    return refusal(task, proper=True, settings=("agnostic",))


GROWING_CLASS = ALGORITHMS.add(
    Algorithm(
        name="growing-class",
        summary="draw a concept with weight exp(-rate * mistakes); its size costs privacy, its "
        "growth function sampling",
        when="finite classes of known growth function, proper, agnostic, every relation",
        proper=True,
        claim=deviations.GROWTH,
        refuses=_refuses,
        samples=_samples,
        mechanism=lambda task, n: learner_for(task, _samples(task), n),
    )
)
