"""BBKN13 section 6: a class that is cheap to learn for those who can go through all seeds."""

from __future__ import annotations

from dataclasses import replace

from tacit.core import (
    ALGORITHMS,
    Algorithm,
    Applies,
    Claim,
    SampleBound,
    Size,
    Status,
    Task,
    Tiny,
    tiny_task,
)
from tacit.core.tiny import labelled
from tacit.problems.finite.finite_class import FiniteClassLearner, epsilon_to_spend, learner_for
from tacit.problems.points import points_upper as points
from tacit.problems.points.points import Points
from tacit.problems.points.pseudorandom import PseudorandomPoints
from tacit.problems.tables.drawn import DRAWN

THEOREM_6_1 = Claim(
    paper="BBKN13",
    locator="Theorem 6.1",
    statement="pseudorandom points of seed length l over d bits: a proper learner that goes "
    "through all seeds needs records for 2^l points, one that answers any point needs them for "
    "2^d; that no efficient learner does better rests on the generator",
    status=Status.IDEALISED,
    proof="problems/points/pseudorandom_learner.proof.md",
)


def _samples(task: Task, size: int) -> SampleBound:
    bound = points.exact_tail(
        size=size,
        alpha=task.accuracy.alpha,
        beta=task.accuracy.beta,
        epsilon=task.privacy.epsilon,
        relation=task.privacy.relation,
        selector="permute-and-flip",
    )
    return replace(bound, claim=THEOREM_6_1)


def _proper(task: Task) -> SampleBound:
    return _samples(task, task.concept_class.size or 0)


def _relaxed(task: Task) -> SampleBound:
    return _samples(task, task.concept_class.domain.size)


def _relaxed_learner(task: Task, bound: SampleBound, size: Size) -> FiniteClassLearner:
    return FiniteClassLearner(
        concept_class=Points(size=task.concept_class.domain.size),
        epsilon=epsilon_to_spend(task, bound, size.n),
        relation=task.privacy.relation,
        selector=bound.choices["selector"],
    )


def _tiny(entry: Algorithm) -> Tiny:
    return tiny_task(
        entry,
        PseudorandomPoints(bits=3, seed_bits=2),
        PseudorandomPoints(bits=8, seed_bits=4),
        records=labelled(range(8)),
        usual=(5, 1),
        odd=(6, 1),
    )


PROPER = ALGORITHMS.add(
    Algorithm(
        name="pseudorandom-points",
        summary="select among the points of all seeds; time grows with their number",
        applies=Applies(proper=True, classes=(PseudorandomPoints,), settings=("realizable",)),
        claim=THEOREM_6_1,
        bound=_proper,
        build=lambda task, bound, size: learner_for(task, bound, size.n),
        certify=DRAWN,
        tiny=_tiny,
    )
)

RELAXED = ALGORITHMS.add(
    Algorithm(
        name="pseudorandom-points-efficient",
        summary="select among all points, in time that follows the records; answers may lie "
        "outside the class",
        applies=Applies(proper=False, classes=(PseudorandomPoints,), settings=("realizable",)),
        claim=THEOREM_6_1,
        bound=_relaxed,
        build=_relaxed_learner,
        certify=DRAWN,
        tiny=_tiny,
    )
)
