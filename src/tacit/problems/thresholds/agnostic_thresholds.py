"""Agnostic thresholds: the exponential mechanism, with records that pay for the domain once."""

from __future__ import annotations

from tacit.bounds.upper import deviations
from tacit.core import ALGORITHMS, Algorithm, SampleBound, Task
from tacit.problems.finite.applies import refusal
from tacit.problems.finite.finite_class import learner_for


def _samples(task: Task) -> SampleBound:
    return deviations.thresholds(
        size=task.concept_class.size or 0, **task.asked("alpha", "beta", "epsilon", "relation")
    )


THRESHOLDS_AGNOSTIC = ALGORITHMS.add(
    Algorithm(
        name="thresholds-agnostic",
        summary="draw a threshold with weight exp(-rate * mistakes); four half-deviations instead "
        "of a union bound over all thresholds",
        when="thresholds, proper, agnostic, every relation",
        proper=True,
        claim=deviations.CUTS,
        refuses=lambda task: refusal(
            task, proper=True, classes=("thresholds",), settings=("agnostic",)
        ),
        samples=_samples,
        mechanism=lambda task, n: learner_for(task, _samples(task), n),
    )
)
