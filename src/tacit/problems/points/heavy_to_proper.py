"""BBKN13 Theorem 4.11: a rule that is 1 on few values gives away a proper point."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from tacit.core import (
    ALGORITHMS,
    MECHANISMS,
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
from tacit.core.tiny import divided
from tacit.domains.integers import Integers
from tacit.mechanisms.boosting import BoostConfidence, Stage
from tacit.mechanisms.shuffled import Shuffled
from tacit.problems.finite.reasons import IN_PARTS
from tacit.problems.finite.staged import last_epsilon, share
from tacit.problems.points.hashed import HashedPointLearner, tiny_hashed
from tacit.problems.points.points import Points
from tacit.problems.points.some_points import SomePoints
from tacit.problems.points.tiny_points import ONES, TWO, on_points
from tacit.problems.thresholds import reductions_upper as bounds

_MOST_LISTED = 1 << 20


def support(rule: Hypothesis, domain: Integers) -> npt.NDArray[np.uint64]:
    """The values of a listable domain on which a rule is 1."""
    return np.flatnonzero(rule.predict(np.arange(domain.size, dtype=np.uint64))).astype(np.uint64)


@dataclass(frozen=True, slots=True, kw_only=True)
class LightToProperLearner(Mechanism[Sample, Hypothesis]):
    """Select among the points on which several improper tries are 1.

    Privacy
    -------
    Requires  ``improper`` is private for replace-one; the number of records is public.
    Ensures   the larger of its epsilon and ``epsilon``.
    Proof     Theorem 1 of ``heavy_to_proper.proof.md``.
    Numerics  exact.

    Utility
    -------
    ``tacit.problems.thresholds.reductions_upper.heavy_to_proper``: BBKN13 Theorem 4.11.

    Edge cases
    ----------
    Tries that are 1 on more than ``weight`` values are left out. ``spare`` fixed points are
    candidates whatever the tries say, so there always are some.
    """

    CLAIM: ClassVar[Claim] = bounds.THEOREM_4_11

    domain: Integers
    improper: Mechanism[Sample, Hypothesis]
    tries: int
    records: int
    weight: int
    spare: int
    epsilon: Fraction

    def _gather(self, found: tuple[Any, ...]) -> SomePoints:
        points = [np.arange(min(self.spare, self.domain.size), dtype=np.uint64)]
        supports = (support(rule, self.domain) for rule in found)
        points += [values for values in supports if len(values) <= self.weight]
        return SomePoints(self.domain, np.unique(np.concatenate(points)))

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
    return bounds.heavy_to_proper(
        size=task.concept_class.domain.size,
        alpha=task.accuracy.alpha,
        beta=task.accuracy.beta,
        epsilon=task.privacy.epsilon,
    )


def _mechanism(task: Task, bound: SampleBound, size: Size) -> Shuffled[Hypothesis]:
    choices = bound.choices
    hashed = choices["try"]
    improper = HashedPointLearner(
        domain=task.concept_class.domain,
        bits=hashed["bits"],
        hashes=hashed["hashes"],
        epsilon=hashed["epsilon"],
    )
    learner = LightToProperLearner(
        domain=task.concept_class.domain,
        improper=improper,
        tries=choices["tries"],
        records=share(bound, choices["records"], size.n),
        weight=choices["weight"],
        spare=choices["spare"],
        epsilon=last_epsilon(task, bound, size.n),
    )
    return Shuffled(inner=learner, domain=task.concept_class.domain)


def _small(epsilon: Fraction) -> LightToProperLearner:
    return LightToProperLearner(
        domain=TWO,
        improper=tiny_hashed(epsilon),
        tries=2,
        records=1,
        weight=1,
        spare=1,
        epsilon=epsilon,
    )


def _tiny(entry: Algorithm) -> Tiny:
    return on_points(entry).exactly(_small, records=[*ONES, (0, 0)], n=4, order="matters")


HEAVY_TO_PROPER = ALGORITHMS.add(
    Algorithm(
        name="heavy-to-proper",
        summary="a proper point from the values that improper rules accept; shown for its theorem",
        applies=Applies(
            proper=True,
            classes=(Points,),
            settings=("realizable",),
            relations=(Relation.REPLACE_ONE, Relation.LABEL),
            because=IN_PARTS,
            further=(
                Condition(
                    "at most 2**20 values",
                    lambda task: task.concept_class.domain.size <= _MOST_LISTED,
                    "goes through the domain value by value",
                ),
            ),
        ),
        claim=bounds.THEOREM_4_11,
        bound=_samples,
        build=_mechanism,
        tiny=_tiny,
    )
)

MECHANISMS.add(
    Tiny(
        name="Shuffled",
        make=lambda e: Shuffled(inner=_small(e), domain=TWO),
        records=[*ONES, (0, 0)],
        n=3,
        pairs=divided((0, 1), (1, 1), n=6, at=(6, 4)),
    )
)
