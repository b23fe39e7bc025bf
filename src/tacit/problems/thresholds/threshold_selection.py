"""Proper thresholds: the generic selection with a bound that is exact in its worst case."""

from __future__ import annotations

from tacit.core import (
    ALGORITHMS,
    Algorithm,
    Applies,
    SampleBound,
    Task,
)
from tacit.problems.finite.finite_class import learner_for
from tacit.problems.tables.drawn import DRAWN
from tacit.problems.thresholds import thresholds_upper as thresholds
from tacit.problems.thresholds.thresholds import Thresholds
from tacit.problems.thresholds.tiny_thresholds import on_thresholds


def _samples(task: Task) -> SampleBound:
    return thresholds.exact_tail(
        size=task.concept_class.size or 0,
        selector="permute-and-flip",
        **task.asked("alpha", "beta", "epsilon", "relation"),
    )


THRESHOLDS = ALGORITHMS.add(
    Algorithm(
        name="thresholds",
        summary="permute-and-flip over all thresholds, with the records counted exactly",
        applies=Applies(proper=True, classes=(Thresholds,), settings=("realizable",)),
        claim=thresholds.CLAIM,
        bound=_samples,
        build=lambda task, bound, size: learner_for(task, bound, size.n),
        certify=DRAWN,
        tiny=on_thresholds,
    )
)
