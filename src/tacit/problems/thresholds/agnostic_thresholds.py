"""Agnostic thresholds: the exponential mechanism, with records that pay for the domain once."""

from __future__ import annotations

from tacit.bounds.upper import deviations
from tacit.core import (
    ALGORITHMS,
    Algorithm,
    Applies,
    SampleBound,
    Task,
    Tiny,
)
from tacit.problems.finite.finite_class import learner_for
from tacit.problems.tables.drawn import DRAWN
from tacit.problems.thresholds.thresholds import Thresholds
from tacit.problems.thresholds.tiny_thresholds import on_thresholds


def _samples(task: Task) -> SampleBound:
    return deviations.thresholds(
        size=task.concept_class.size or 0, **task.asked("alpha", "beta", "epsilon", "relation")
    )


def _tiny(entry: Algorithm) -> Tiny:
    return on_thresholds(entry, setting="agnostic")


THRESHOLDS_AGNOSTIC = ALGORITHMS.add(
    Algorithm(
        name="thresholds-agnostic",
        summary="draw a threshold with weight exp(-rate * mistakes); four half-deviations instead "
        "of a union bound over all thresholds",
        applies=Applies(proper=True, classes=(Thresholds,), settings=("agnostic",)),
        claim=deviations.CUTS,
        bound=_samples,
        build=lambda task, bound, size: learner_for(task, bound, size.n),
        certify=DRAWN,
        tiny=_tiny,
    )
)
