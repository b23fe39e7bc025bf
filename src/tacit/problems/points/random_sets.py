"""BBKN13 section 4.1: points by a small class of sets that represents them all."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tacit.core import (
    ALGORITHMS,
    Algorithm,
    Applies,
    Claim,
    Condition,
    Event,
    Hypothesis,
    Mechanism,
    Relation,
    Sample,
    SampleBound,
    Sampler,
    Size,
    Task,
    Tiny,
)
from tacit.core.tiny import labelled
from tacit.domains.integers import Integers
from tacit.problems.finite.finite_class import FiniteClassLearner, epsilon_to_spend
from tacit.problems.points import random_sets_upper as bounds
from tacit.problems.points.points import Points
from tacit.problems.points.representing_sets import PlaneLines, RandomSets
from tacit.problems.points.tiny_points import POINTS, TWO, on_points
from tacit.problems.tables.drawn import DRAWN
from tacit.theory.dimensions.games import solve

_MOST_PLANE_BITS = 512


def representation_error(
    concepts: npt.NDArray[np.bool_], hypotheses: npt.NDArray[np.bool_]
) -> Fraction:
    """The least ``a`` for which the hypotheses represent the concepts to within ``a``, exactly.

    By minimax it is the largest value, over concepts, of the game in which one side
    plays a value of the domain, the other a hypothesis, and a disagreement with the
    concept pays 1. For small tables.
    """
    games = (hypotheses != concept for concept in concepts)
    return max(solve(game.T.astype(int).tolist())[0] for game in games)


@dataclass(frozen=True, slots=True, kw_only=True)
class RandomSetLearner(Mechanism[Sample, Hypothesis]):
    """Draw public random sets, then select one of them by its mistakes.

    Privacy
    -------
    Requires  the sets are drawn independently of the data (they are: first line).
    Ensures   the privacy of the selection at ``epsilon``, for every outcome of the sets.
    Proof     Theorem 1 of ``random_sets.proof.md``.
    Numerics  exact.

    Utility
    -------
    ``tacit.problems.points.random_sets_upper.random_sets``: BBKN13 Theorem 4.2.

    Edge cases
    ----------
    As ``FiniteClassLearner``.
    """

    CLAIM: ClassVar[Claim] = bounds.THEOREM_4_2

    domain: Integers
    sets: int
    bits: int
    epsilon: Fraction
    relation: Relation = Relation.REPLACE_ONE

    def _learner(self, drawn: RandomSets | None) -> FiniteClassLearner:
        return FiniteClassLearner(concept_class=drawn, epsilon=self.epsilon, relation=self.relation)

    def event(self) -> Event:
        # What the selection costs does not depend on the sets.
        return self._learner(None).event()

    def prepare(self) -> None:
        """Load the loop that counts when sets and values are many."""
        from tacit.problems.points.set_kernel import warm

        warm()

    def _release(self, data: Sample, *, rng: Sampler) -> Hypothesis:
        drawn = RandomSets.draw(rng, domain=self.domain, sets=self.sets, bits=self.bits)
        return rng.part(self._learner(drawn), data)  # [P1]


def _any_number(task: Task) -> SampleBound:
    return bounds.random_sets(
        size=task.concept_class.domain.size, **task.asked("alpha", "beta", "epsilon", "relation")
    )


def _samples(task: Task) -> SampleBound:
    return bounds.random_sets(
        size=task.concept_class.domain.size,
        most=bounds.MOST_SETS,
        **task.asked("alpha", "beta", "epsilon", "relation"),
    )


def _too_many(task: Task) -> str | None:
    sets = _any_number(task).choices["sets"]
    return f"goes through {sets} sets" if sets > bounds.MOST_SETS else None


def _mechanism(task: Task, bound: SampleBound, size: Size) -> RandomSetLearner:
    return RandomSetLearner(
        domain=task.concept_class.domain,
        sets=bound.choices["sets"],
        bits=bound.choices["bits"],
        epsilon=epsilon_to_spend(task, bound, size.n),
        relation=task.privacy.relation,
    )


def _tiny(entry: Algorithm) -> Tiny:
    return on_points(entry).exactly(
        lambda e: RandomSetLearner(domain=TWO, sets=2, bits=1, epsilon=e), records=POINTS, n=6
    )


RANDOM_SETS = ALGORITHMS.add(
    Algorithm(
        name="random-sets",
        summary="select one of many public random sets; records grow like log(bits)",
        applies=Applies(proper=False, classes=(Points,), settings=("realizable",)),
        claim=bounds.THEOREM_4_2,
        bound=_samples,
        build=_mechanism,
        tiny=_tiny,
    )
)


MANY_RANDOM_SETS = ALGORITHMS.add(
    Algorithm(
        name="random-sets-any-number",
        summary="the same with as many random sets as Theorem 4.2 asks for, however many",
        applies=Applies(proper=False, classes=(Points,), settings=("realizable",)),
        claim=bounds.THEOREM_4_2,
        bound=_any_number,
        build=_mechanism,
        tiny=_tiny,
        runs=_too_many,
    )
)


def _plane_samples(task: Task) -> SampleBound:
    return bounds.plane_lines(
        size=task.concept_class.domain.size,
        alpha=task.accuracy.alpha,
        beta=task.accuracy.beta,
        epsilon=task.privacy.epsilon,
        relation=task.privacy.relation,
    )


def _plane_mechanism(task: Task, bound: SampleBound, size: Size) -> FiniteClassLearner:
    lines = PlaneLines(domain=task.concept_class.domain, slopes=bound.choices["slopes"])
    return FiniteClassLearner(
        concept_class=lines,
        epsilon=epsilon_to_spend(task, bound, size.n),
        relation=task.privacy.relation,
    )


def _tiny_plane(entry: Algorithm) -> Tiny:
    return on_points(entry).exactly(
        lambda e: FiniteClassLearner(
            concept_class=PlaneLines(domain=Integers(size=4), slopes=2), epsilon=e
        ),
        records=labelled(range(4)),
        n=3,
    )


PLANE_LINES = ALGORITHMS.add(
    Algorithm(
        name="plane-lines",
        summary="select a line of a finite plane laid over the domain; half the bits of a point",
        applies=Applies(
            proper=False,
            classes=(Points,),
            settings=("realizable",),
            further=(
                Condition(
                    f"at most {_MOST_PLANE_BITS} bits",
                    lambda task: task.concept_class.domain.bits <= _MOST_PLANE_BITS,
                    "needs a prime near the square root of the domain",
                ),
            ),
        ),
        claim=bounds.SECTION_4_1,
        bound=_plane_samples,
        build=_plane_mechanism,
        certify=DRAWN,
        tiny=_tiny_plane,
    )
)
