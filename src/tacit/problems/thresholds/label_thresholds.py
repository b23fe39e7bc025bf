"""Thresholds when only labels are private: one candidate a gap of the public values."""

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
from tacit.core.numbers import positive
from tacit.exact.arrays import Placed
from tacit.problems.finite.finite_class import FiniteClassLearner
from tacit.problems.thresholds import label_thresholds_upper as label_thresholds
from tacit.problems.thresholds.some_thresholds import SomeThresholds
from tacit.problems.thresholds.thresholds import Thresholds
from tacit.problems.thresholds.tiny_thresholds import on_thresholds
from tacit.tallies.distinct import distinct, features, fits_a_table


def one_a_gap(base: Thresholds, occurring: Placed) -> tuple[int, ...]:
    """The middle boundary of every gap between ascending values; ascending and distinct."""
    values = [int(value) for value in occurring.tolist()]
    lows = [base.first, *(value + 1 for value in values)]
    highs = [*values, base.domain.size]
    return tuple((low + high) // 2 for low, high in zip(lows, highs, strict=True) if low <= high)


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelThresholdLearner(Mechanism[Sample, Hypothesis]):
    """Select, by mistakes, one of the thresholds between the values that occur.

    The released cut shows a gap between values of ``x``: under label privacy those are public.

    Privacy
    -------
    Requires  neighbours differ in one label; the values are public, and so is their number.
    Ensures   the privacy of the exponential mechanism at ``epsilon`` under ``LABEL``.
    Proof     Theorem 1 of ``label_thresholds.proof.md``.
    Numerics  exact.

    Utility
    -------
    ``tacit.problems.thresholds.label_thresholds_upper``: the same for every domain.

    Edge cases
    ----------
    No records: the middle of all cuts.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="own",
        locator="Theorem 1 of problems/thresholds/label_thresholds.proof.md",
        statement="selecting by mistakes among one threshold a gap of the public values is "
        "epsilon-DP for labels",
        proof="problems/thresholds/label_thresholds.proof.md",
    )

    base: Thresholds
    epsilon: Fraction

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", positive(self.epsilon, name="epsilon"))

    def event(self) -> Event:
        return Selection(epsilon=self.epsilon, relation=Relation.LABEL)

    def streams(self, n: int | None) -> bool:
        return fits_a_table(n, self.base.domain.size)

    def _release(self, data: Sample, *, rng: Sampler) -> Hypothesis:
        values, _ = distinct(features(data), self.base.domain)
        some = SomeThresholds(self.base, one_a_gap(self.base, values))  # [P1]
        learner = FiniteClassLearner(
            concept_class=some, epsilon=self.epsilon, relation=Relation.LABEL
        )
        return rng.part(learner, data)  # [P2]


def _samples(task: Task) -> SampleBound:
    realizable = task.setting == "realizable"
    bound = label_thresholds.realizable if realizable else label_thresholds.agnostic
    return bound(**task.asked("alpha", "beta", "epsilon"))


def _mechanism(task: Task, _bound: SampleBound, _size: Size) -> LabelThresholdLearner:
    base = task.of(Thresholds)
    return LabelThresholdLearner(base=base, epsilon=task.privacy.epsilon)


def _tiny(entry: Algorithm) -> Tiny:
    return on_thresholds(entry, odd=(20, 0), relation="label", setting="realizable")


LABEL_THRESHOLDS = ALGORITHMS.add(
    Algorithm(
        name="label-thresholds",
        summary="select among one threshold a gap of the public values; records do not grow with "
        "the domain",
        applies=Applies(proper=True, classes=(Thresholds,), relations=(Relation.LABEL,)),
        claim=LabelThresholdLearner.CLAIM,
        bound=_samples,
        build=_mechanism,
        tiny=_tiny,
    )
)
