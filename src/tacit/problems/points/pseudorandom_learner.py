"""BBKN13 section 6: a class that is cheap to learn for those who can go through all seeds."""

from __future__ import annotations

from dataclasses import replace

from tacit.core import ALGORITHMS, Algorithm, Claim, SampleBound, Status, Task
from tacit.problems.finite.applies import refusal
from tacit.problems.finite.finite_class import FiniteClassLearner, epsilon_to_spend, learner_for
from tacit.problems.points import points_upper as points
from tacit.problems.points.points import Points

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


def _relaxed_learner(task: Task, n: int) -> FiniteClassLearner:
    bound = _relaxed(task)
    return FiniteClassLearner(
        concept_class=Points(size=task.concept_class.domain.size),
        epsilon=epsilon_to_spend(task, bound, n),
        relation=task.privacy.relation,
        selector=bound.choices["selector"],
    )


def _refuses(task: Task, *, proper: bool) -> str | None:
    return refusal(task, proper=proper, classes=("pseudorandom-points",), settings=("realizable",))


PROPER = ALGORITHMS.add(
    Algorithm(
        name="pseudorandom-points",
        summary="select among the points of all seeds; time grows with their number",
        when="pseudorandom points, proper, realizable, every relation",
        proper=True,
        claim=THEOREM_6_1,
        refuses=lambda task: _refuses(task, proper=True),
        samples=_proper,
        mechanism=lambda task, n: learner_for(task, _proper(task), n),
    )
)

RELAXED = ALGORITHMS.add(
    Algorithm(
        name="pseudorandom-points-efficient",
        summary="select among all points, in time that follows the records; answers may lie "
        "outside the class",
        when="pseudorandom points, answered by any point, realizable, every relation",
        proper=False,
        claim=THEOREM_6_1,
        refuses=lambda task: _refuses(task, proper=False),
        samples=_relaxed,
        mechanism=_relaxed_learner,
    )
)
