"""BBKN13 Theorem 5.4: a rule with few switching points gives away a proper threshold."""

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
    Claim,
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
from tacit.mechanisms.boosting import BoostConfidence, Stage
from tacit.mechanisms.shuffled import Shuffled
from tacit.problems.finite.listed_rules import ListedRules
from tacit.problems.finite.reasons import IN_PARTS
from tacit.problems.finite.staged import last_epsilon, share
from tacit.problems.thresholds import reductions_upper as bounds
from tacit.problems.thresholds.independent_noise import (
    WRITTEN_OUT,
    IndependentNoiseLearner,
)
from tacit.problems.thresholds.thresholds import Thresholds
from tacit.problems.thresholds.tiny_thresholds import on_thresholds


def switching_points(values: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """Where a rule changes its answer, and both ends of the domain (0 and its size)."""
    inside = np.flatnonzero(values[1:] != values[:-1]) + 1
    return np.concatenate([[0], inside, [len(values)]])


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchLearner(Mechanism[Sample, Hypothesis]):
    """Select among the thresholds at the switching points of several improper tries.

    Privacy
    -------
    Requires  ``improper`` is private for replace-one; the number of records is public.
    Ensures   the larger of its epsilon and ``epsilon``.
    Proof     Theorem 1 of ``interval_switch.proof.md``.
    Numerics  exact.

    Utility
    -------
    ``tacit.problems.thresholds.reductions_upper.interval_switch``: BBKN13 Theorem 5.4.

    Edge cases
    ----------
    Tries with more than ``switches`` switching points are left out; if none is left, the
    two constant thresholds are selected from.
    """

    CLAIM: ClassVar[Claim] = bounds.THEOREM_5_4

    concept_class: Thresholds
    improper: Mechanism[Sample, Hypothesis]
    tries: int
    records: int
    switches: int
    epsilon: Fraction

    def _gather(self, found: tuple[Any, ...]) -> ListedRules:
        thresholds = self.concept_class
        size = thresholds.domain.size
        everything = np.arange(size, dtype=np.uint64)
        boundaries = {thresholds.first, size}
        for rule in found:
            points = switching_points(rule.predict(everything))
            if len(points) <= self.switches:
                boundaries.update(max(thresholds.first, int(point)) for point in points)
        rules = tuple(thresholds.hypothesis(boundary) for boundary in sorted(boundaries))
        return ListedRules(thresholds.domain, rules)

    def _boosted(self) -> BoostConfidence:
        stage = Stage(mechanism=self.improper, records=self.records)
        return BoostConfidence(
            stages=(stage,) * self.tries, gather=self._gather, epsilon=self.epsilon
        )

    def event(self) -> Event:
        return self._boosted().event()

    def _release(self, data: Sample, *, rng: Sampler) -> Hypothesis:
        return rng.part(self._boosted(), data)


def _samples(task: Task) -> SampleBound:
    return bounds.interval_switch(
        size=task.concept_class.size or 0,
        points=task.concept_class.domain.size,
        alpha=task.accuracy.alpha,
        beta=task.accuracy.beta,
        epsilon=task.privacy.epsilon,
    )


def _mechanism(task: Task, bound: SampleBound, size: Size) -> Shuffled[Hypothesis]:
    thresholds = task.concept_class
    assert isinstance(thresholds, Thresholds)
    choices = bound.choices
    improper = IndependentNoiseLearner(
        concept_class=thresholds,
        epsilon=choices["try"]["epsilon"],
        noise=choices["try"]["noise"],
    )
    learner = SwitchLearner(
        concept_class=thresholds,
        improper=improper,
        tries=choices["tries"],
        records=share(bound, choices["records"], size.n),
        switches=choices["switches"],
        epsilon=last_epsilon(task, bound, size.n),
    )
    return Shuffled(inner=learner, domain=task.concept_class.domain)


def _tiny(entry: Algorithm) -> Tiny:
    base = Thresholds(size=2)

    def make(epsilon: Fraction) -> SwitchLearner:
        noisy = IndependentNoiseLearner(concept_class=base, epsilon=epsilon, noise=Fraction(1, 8))
        return SwitchLearner(
            concept_class=base, improper=noisy, tries=2, records=1, switches=4, epsilon=epsilon
        )

    return on_thresholds(entry).exactly(make, records=labelled(range(2)), n=4, order="matters")


INTERVAL_SWITCH = ALGORITHMS.add(
    Algorithm(
        name="interval-switch",
        summary="proper thresholds from the switching points of improper rules; shown "
        "for its theorem",
        applies=Applies(
            proper=True,
            classes=(Thresholds,),
            settings=("realizable",),
            relations=(Relation.REPLACE_ONE, Relation.LABEL),
            because=IN_PARTS,
            further=(WRITTEN_OUT,),
        ),
        claim=bounds.THEOREM_5_4,
        bound=_samples,
        build=_mechanism,
        tiny=_tiny,
    )
)
