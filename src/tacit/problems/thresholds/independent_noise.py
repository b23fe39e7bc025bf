"""BBKN13 section 5.2: thresholds blurred by independent noise, and how to see through it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from tacit.core import (
    ALGORITHMS,
    Algorithm,
    Applies,
    BadInput,
    Claim,
    Condition,
    Event,
    Hypothesis,
    Mechanism,
    Relation,
    Sample,
    SampleBound,
    Sampler,
    Task,
)
from tacit.core.numbers import probability
from tacit.problems.finite.finite_class import FiniteClassLearner, epsilon_to_spend
from tacit.problems.finite.listed import TableRule
from tacit.problems.thresholds import reductions_upper as bounds
from tacit.problems.thresholds.thresholds import ThresholdRule, Thresholds
from tacit.problems.thresholds.tiny_thresholds import on_thresholds

MOST_LISTED = 1 << 16
"""Rules with independent noise are written out value by value."""


def mismatches(values: npt.NDArray[np.bool_], *, orientation: str) -> npt.NDArray[np.int64]:
    """How many values each boundary ``0, ..., T`` labels differently from the rule."""
    high = values if orientation == ">=" else ~values
    counts = np.empty(len(values) + 1, dtype=np.int64)
    counts[0] = np.count_nonzero(~high)
    np.cumsum(np.where(high, 1, -1), out=counts[1:])
    counts[1:] += counts[0]
    return counts


def reconstruct(values: npt.NDArray[np.bool_], thresholds: Thresholds) -> tuple[int, bool]:
    """The boundary of the class nearest to a blurred rule (the first of them), and whether
    it is the only one.
    """
    first = thresholds.first
    counts = mismatches(values, orientation=thresholds.orientation)[first:]
    nearest = np.flatnonzero(counts == counts.min())
    return int(nearest[0]) + first, len(nearest) == 1


@dataclass(frozen=True, slots=True, kw_only=True)
class IndependentNoiseLearner(Mechanism[Sample, TableRule]):
    """Select a threshold privately, then flip its answer at each value with probability ``noise``.

    Privacy
    -------
    Requires  the domain has at most 2**16 values.
    Ensures   the privacy of the selection at ``epsilon``; the noise is on top.
    Proof     Theorem 1 of ``independent_noise.proof.md``.
    Numerics  exact.

    Utility
    -------
    ``tacit.problems.thresholds.reductions_upper.independent_noise``: BBKN13 Definition 5.6.

    Edge cases
    ----------
    As ``FiniteClassLearner``.
    """

    CLAIM: ClassVar[Claim] = bounds.DEFINITION_5_6

    concept_class: Thresholds
    epsilon: Fraction
    noise: Fraction
    relation: Relation = Relation.REPLACE_ONE

    def __post_init__(self) -> None:
        object.__setattr__(self, "noise", probability(self.noise, name="noise"))
        if self.concept_class.domain.size > MOST_LISTED:
            raise BadInput("independent noise needs a domain of at most 2**16 values")

    def _inner(self) -> FiniteClassLearner:
        return FiniteClassLearner(
            concept_class=self.concept_class, epsilon=self.epsilon, relation=self.relation
        )

    def event(self) -> Event:
        return self._inner().event()

    def _release(self, data: Sample, *, rng: Sampler) -> TableRule:
        inner = rng.part(self._inner(), data)  # [P1]
        size = self.concept_class.domain.size
        values = inner.predict(np.arange(size, dtype=np.uint64))
        blurred = values ^ rng.coins(self.noise, size)  # [P2]
        return TableRule(values=tuple(blurred.tolist()))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReconstructingLearner(Mechanism[Sample, Hypothesis]):
    """The threshold behind the rule of an ``IndependentNoiseLearner``.

    Privacy
    -------
    Requires  as ``IndependentNoiseLearner``.
    Ensures   its privacy: the records are not looked at again.
    Proof     Theorem 2 of ``independent_noise.proof.md``.
    Numerics  exact.

    Utility
    -------
    ``tacit.problems.thresholds.reductions_upper.reconstructed``: BBKN13 Theorem 5.8.

    Edge cases
    ----------
    Where several thresholds are nearest to the blurred rule, the first.
    """

    CLAIM: ClassVar[Claim] = bounds.THEOREM_5_8

    outer: IndependentNoiseLearner

    def event(self) -> Event:
        return self.outer.event()

    def _release(self, data: Sample, *, rng: Sampler) -> ThresholdRule:
        blurred = rng.part(self.outer, data)  # [P1]
        values = np.array(blurred.values, dtype=bool)
        thresholds = self.outer.concept_class
        return thresholds.hypothesis(reconstruct(values, thresholds)[0])


WRITTEN_OUT = Condition(
    "at most 2**16 values",
    lambda task: task.concept_class.domain.size <= MOST_LISTED,
    "writes its rules out value by value",
)


def _samples(task: Task) -> SampleBound:
    return bounds.independent_noise(**_numbers(task))


def _reconstructed(task: Task) -> SampleBound:
    return bounds.reconstructed(**_numbers(task))


def _numbers(task: Task) -> dict[str, Any]:
    return {
        "size": task.concept_class.size or 0,
        "alpha": task.accuracy.alpha,
        "beta": task.accuracy.beta,
        "epsilon": task.privacy.epsilon,
        "relation": task.privacy.relation,
    }


def noisy_learner(task: Task, bound: SampleBound, n: int) -> IndependentNoiseLearner:
    """The blurred learner with the parameters of ``bound``."""
    thresholds = task.concept_class
    assert isinstance(thresholds, Thresholds)
    return IndependentNoiseLearner(
        concept_class=thresholds,
        epsilon=epsilon_to_spend(task, bound, n),
        noise=bound.choices["noise"],
        relation=task.privacy.relation,
    )


INDEPENDENT_NOISE = ALGORITHMS.add(
    Algorithm(
        name="independent-noise",
        summary="a private threshold blurred by flipping answers; shown for its theorem",
        applies=Applies(
            proper=False, classes=(Thresholds,), settings=("realizable",), further=(WRITTEN_OUT,)
        ),
        claim=bounds.DEFINITION_5_6,
        bound=_samples,
        build=lambda task, bound, size: noisy_learner(task, bound, size.n),
        tiny=on_thresholds,
    )
)

RECONSTRUCTED = ALGORITHMS.add(
    Algorithm(
        name="noise-reconstruction",
        summary="recover the threshold behind a blurred rule; shown for its theorem",
        applies=Applies(
            proper=True, classes=(Thresholds,), settings=("realizable",), further=(WRITTEN_OUT,)
        ),
        claim=bounds.THEOREM_5_8,
        bound=_reconstructed,
        build=lambda task, bound, size: ReconstructingLearner(
            outer=noisy_learner(task, bound, size.n)
        ),
        tiny=on_thresholds,
    )
)
