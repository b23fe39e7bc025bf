"""Proper points: the generic selection with a bound that is exact in its worst case."""

from __future__ import annotations

from tacit.core import ALGORITHMS, Algorithm, SampleBound, Task
from tacit.problems.finite.applies import refusal
from tacit.problems.finite.finite_class import learner_for
from tacit.problems.points import points_upper as points


def _samples(task: Task) -> SampleBound:
    return points.exact_tail(
        size=task.concept_class.size or 0,
        selector="permute-and-flip",
        **task.asked("alpha", "beta", "epsilon", "relation"),
    )


POINTS = ALGORITHMS.add(
    Algorithm(
        name="points",
        summary="permute-and-flip over all points, with the records counted exactly",
        when="points, proper, realizable, every relation",
        proper=True,
        claim=points.CLAIM,
        refuses=lambda task: refusal(
            task, proper=True, classes=("points",), settings=("realizable",)
        ),
        samples=_samples,
        mechanism=lambda task, n: learner_for(task, _samples(task), n),
    )
)
