"""FX14 Theorem 7 as a learner: select a message of a protocol with public coins."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar

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
from tacit.problems.finite.finite_class import FiniteClassLearner, epsilon_to_spend
from tacit.problems.points import hashed_upper as hashing
from tacit.problems.points.points import Points
from tacit.problems.points.tiny_points import POINTS, TWO, on_points
from tacit.problems.protocols import protocols_upper as bounds
from tacit.problems.protocols.one_way_protocols import (
    Equality,
    GreaterThan,
    Protocol,
    Representation,
)
from tacit.problems.thresholds.thresholds import Thresholds
from tacit.problems.thresholds.tiny_thresholds import on_thresholds

_MOST_THRESHOLDS = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtocolLearner(Mechanism[Sample, Hypothesis]):
    """Draw the coins of a protocol a few times, then select a message by its mistakes.

    Privacy
    -------
    Requires  the coins are drawn independently of the data (they are: first line).
    Ensures   the privacy of the exponential mechanism at ``epsilon``, for all coins.
    Proof     Theorem 1 of ``protocol.proof.md``.
    Numerics  exact.

    Utility
    -------
    ``tacit.problems.protocols.protocols_upper.protocol_records``: FX14 Theorem 7.

    Edge cases
    ----------
    As ``FiniteClassLearner``.
    """

    CLAIM: ClassVar[Claim] = bounds.THEOREM_7

    protocol: Protocol
    copies: int
    epsilon: Fraction
    relation: Relation = Relation.REPLACE_ONE

    def _learner(self, coins: tuple[object, ...]) -> FiniteClassLearner:
        return FiniteClassLearner(
            concept_class=Representation(self.protocol, coins),
            epsilon=self.epsilon,
            relation=self.relation,
        )

    def event(self) -> Event:
        return self._learner(()).event()

    def _release(self, data: Sample, *, rng: Sampler) -> Hypothesis:
        coins = tuple(self.protocol.coins(rng) for _ in range(self.copies))
        return rng.part(self._learner(coins), data)  # [P1]


def _equality_samples(task: Task) -> SampleBound:
    bound = hashing.realizable if task.setting == "realizable" else hashing.agnostic
    found = bound(
        alpha=task.accuracy.alpha,
        beta=task.accuracy.beta,
        epsilon=task.privacy.epsilon,
        relation=task.privacy.relation,
    )
    return replace(found, claim=bounds.THEOREM_7)


def _equality(task: Task, bound: SampleBound, size: Size) -> ProtocolLearner:
    return ProtocolLearner(
        protocol=Equality(task.concept_class.domain, bound.choices["bits"]),
        copies=bound.choices["hashes"],
        epsilon=epsilon_to_spend(task, bound, size.n),
        relation=task.privacy.relation,
    )


def _tiny(entry: Algorithm) -> Tiny:
    return on_points(entry).exactly(
        lambda e: ProtocolLearner(protocol=Equality(TWO, 1), copies=1, epsilon=e),
        records=POINTS,
        n=4,
    )


EQUALITY = ALGORITHMS.add(
    Algorithm(
        name="protocol-equality",
        summary="the equality protocol as a learner of points; the same law as hashed-points",
        applies=Applies(proper=False, classes=(Points,)),
        claim=bounds.THEOREM_7,
        bound=_equality_samples,
        build=_equality,
        tiny=_tiny,
    )
)


def _order_samples(task: Task) -> SampleBound:
    return bounds.protocol_records(
        messages=task.concept_class.size or 0,
        error=0,
        alpha=task.accuracy.alpha,
        beta=task.accuracy.beta,
        epsilon=task.privacy.epsilon,
        relation=task.privacy.relation,
        setting=task.setting,
    )


def _order(task: Task, bound: SampleBound, size: Size) -> ProtocolLearner:
    thresholds = task.concept_class
    assert isinstance(thresholds, Thresholds)
    return ProtocolLearner(
        protocol=GreaterThan(thresholds),
        copies=1,
        epsilon=epsilon_to_spend(task, bound, size.n),
        relation=task.privacy.relation,
    )


GREATER_THAN = ALGORITHMS.add(
    Algorithm(
        name="protocol-greater-than",
        summary="the greater-than protocol as a learner of thresholds",
        applies=Applies(
            proper=True,
            classes=(Thresholds,),
            further=(
                Condition(
                    "at most 2**20 thresholds",
                    lambda task: (task.concept_class.size or 0) <= _MOST_THRESHOLDS,
                    "goes through the messages one by one",
                ),
            ),
        ),
        claim=bounds.THEOREM_7,
        bound=_order_samples,
        build=_order,
        tiny=on_thresholds,
    )
)
