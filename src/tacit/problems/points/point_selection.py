"""Proper points: the generic selection with a bound that is exact in its worst case."""

from __future__ import annotations

from tacit.core import (
    ALGORITHMS,
    Algorithm,
    Applies,
    SampleBound,
    Task,
)
from tacit.problems.finite.finite_class import learner_for
from tacit.problems.points import points_upper as points
from tacit.problems.points.points import Points
from tacit.problems.points.tiny_points import on_points
from tacit.problems.tables.drawn import DRAWN


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
        applies=Applies(proper=True, classes=(Points,), settings=("realizable",)),
        claim=points.CLAIM,
        bound=_samples,
        build=lambda task, bound, size: learner_for(task, bound, size.n),
        certify=DRAWN,
        tiny=on_points,
    )
)
