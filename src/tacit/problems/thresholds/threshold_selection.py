"""Proper thresholds: the generic selection with a bound that is exact in its worst case."""

from __future__ import annotations

from tacit.core import ALGORITHMS, Algorithm, SampleBound, Task
from tacit.problems.finite.applies import refusal
from tacit.problems.finite.finite_class import learner_for
from tacit.problems.thresholds import thresholds_upper as thresholds


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
        when="thresholds, proper, realizable, every relation",
        proper=True,
        claim=thresholds.CLAIM,
        refuses=lambda task: refusal(
            task, proper=True, classes=("thresholds",), settings=("realizable",)
        ),
        samples=_samples,
        mechanism=lambda task, n: learner_for(task, _samples(task), n),
    )
)
