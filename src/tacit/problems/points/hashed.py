"""Learn a point function from a number of records that does not grow with the domain."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from tacit.core import (
    ALGORITHMS,
    Algorithm,
    Applies,
    Claim,
    Event,
    Hypothesis,
    Mechanism,
    Relation,
    Sample,
    SampleBound,
    Sampler,
    Selection,
    Size,
    Task,
    Tiny,
)
from tacit.domains.integers import Integers
from tacit.problems.finite.finite_class import FiniteClassLearner, epsilon_to_spend
from tacit.problems.points import hashed_upper as hashing
from tacit.problems.points.hashes import Hash, HashedPoints
from tacit.problems.points.points import Points
from tacit.problems.points.tiny_points import POINTS, TWO, on_points


@dataclass(frozen=True, slots=True, kw_only=True)
class HashedPointLearner(Mechanism[Sample, Hypothesis]):
    """Draw public hashes, then select a bucket of one of them by its mistakes.

    Privacy
    -------
    Requires  the hashes are drawn independently of the data (they are: first line).
    Ensures   the privacy of the selection at ``epsilon``, for every outcome of the hashes.
    Proof     Theorem 1 of ``hashed.proof.md``.
    Numerics  exact; the hash family is exactly pairwise independent.

    Utility
    -------
    ``tacit.problems.points.hashed_upper``; FX14 section 3.1.

    Edge cases
    ----------
    As ``FiniteClassLearner``.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="FX14",
        locator="Theorem 7",
        statement="selecting a bucket of a public random hash is private and learns point "
        "functions from a number of records that is free of the domain",
        proof="problems/points/hashed.proof.md",
    )

    domain: Integers
    bits: int
    hashes: int
    epsilon: Fraction
    relation: Relation = Relation.REPLACE_ONE

    def event(self) -> Event:
        return Selection(epsilon=self.epsilon, relation=Relation.read(self.relation))

    def _release(self, data: Sample, *, rng: Sampler) -> Hypothesis:
        drawn = (Hash.draw(rng, domain=self.domain, bits=self.bits) for _ in range(self.hashes))
        learner = FiniteClassLearner(
            concept_class=HashedPoints(self.domain, tuple(drawn)),
            epsilon=self.epsilon,
            relation=self.relation,
        )
        return rng.part(learner, data)  # [P1]


def _samples(task: Task) -> SampleBound:
    bound = hashing.realizable if task.setting == "realizable" else hashing.agnostic
    return bound(**task.asked("alpha", "beta", "epsilon", "relation"))


def _mechanism(task: Task, bound: SampleBound, size: Size) -> HashedPointLearner:
    choices = bound.choices
    return HashedPointLearner(
        domain=task.concept_class.domain,
        bits=choices["bits"],
        hashes=choices["hashes"],
        epsilon=epsilon_to_spend(task, bound, size.n),
        relation=task.privacy.relation,
    )


def tiny_hashed(epsilon: Fraction) -> HashedPointLearner:
    """One hash of one bit over two values."""
    return HashedPointLearner(domain=TWO, bits=1, hashes=1, epsilon=epsilon)


def _tiny(entry: Algorithm) -> Tiny:
    return on_points(entry).exactly(tiny_hashed, records=POINTS, n=4)


HASHED_POINTS = ALGORITHMS.add(
    Algorithm(
        name="hashed-points",
        summary="select a bucket of a public random hash; records do not grow with the domain",
        applies=Applies(proper=False, classes=(Points,)),
        claim=HashedPointLearner.CLAIM,
        bound=_samples,
        build=_mechanism,
        tiny=_tiny,
    )
)
