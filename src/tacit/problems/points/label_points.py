"""Points when only labels are private: the values that occur, weighed by their 1s."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import ClassVar

import numpy as np

from tacit.core import (
    ALGORITHMS,
    Algorithm,
    Applies,
    Claim,
    Event,
    Mechanism,
    Relation,
    Sample,
    SampleBound,
    Sampler,
    Size,
    Task,
    Tiny,
)
from tacit.core.numbers import exact, positive
from tacit.domains.integers import Integers
from tacit.exact.landscape import Grouped
from tacit.mechanisms.calibration import positives_spread
from tacit.mechanisms.selection import Exponential
from tacit.problems.points import label_points_upper as bounds
from tacit.problems.points.points import PointRule, Points
from tacit.problems.points.tiny_points import POINTS, TWO
from tacit.tallies.distinct import Ranked, distinct, distinct_labelled, features, fits_a_table

_PROOF = "problems/points/label_points.proof.md"


@dataclass(frozen=True, slots=True)
class PositivesOf:
    """Candidates: every record, by its value, and ``spare`` more that stand for none.

    A record's error is minus how many records of its value have label 1; a spare one's is 0.
    So a value is a candidate as often as it occurs, which is public if only labels are private.
    """

    domain: Integers
    spare: int

    def __call__(self, data: Sample) -> Grouped:
        _, zeros, ones = distinct_labelled(data, self.domain)
        sizes = np.append(zeros + ones, self.spare).astype(np.uint64)
        starts = np.cumsum(sizes, dtype=np.uint64) - sizes
        return Grouped(errors=np.append(-ones, 0), sizes=sizes, starts=starts)

    def spread(self, relation: Relation) -> int:
        return positives_spread(relation)


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelPointLearner(Mechanism[Sample, PointRule]):
    """Select a value that occurs by its records with label 1, or a point at random.

    The released point shows a value of ``x``: under label privacy those are public.

    Privacy
    -------
    Requires  neighbours differ in one label; the values are public, and so is their number.
    Ensures   the privacy of the exponential mechanism at ``epsilon`` under ``LABEL``.
    Proof     Theorem 1 of ``label_points.proof.md``.
    Numerics  exact.

    Utility
    -------
    ``tacit.problems.points.label_points_upper.realizable``: the same for every large domain.

    Edge cases
    ----------
    No records: a point at random.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="own",
        locator="Theorem 1 of problems/points/label_points.proof.md",
        statement="selecting a public value by its number of 1s, each value as often as it "
        "occurs, or a point at random, is epsilon-DP for labels",
        proof=_PROOF,
    )

    domain: Integers
    epsilon: Fraction
    spare: Fraction
    """How many times as many as the records the candidates are that stand for no value."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", positive(self.epsilon, name="epsilon"))
        object.__setattr__(self, "spare", positive(exact(self.spare, name="spare"), name="spare"))

    def _selection(self, n: int) -> Exponential[Sample]:
        score = PositivesOf(self.domain, spare=max(1, ceil(self.spare * n)))
        return Exponential(score=score, epsilon=self.epsilon, relation=Relation.LABEL)

    def event(self) -> Event:
        return self._selection(0).event()

    def streams(self, n: int | None) -> bool:
        return fits_a_table(n, self.domain.size)

    def _release(self, data: Sample, *, rng: Sampler) -> PointRule:
        cells = Ranked.of(*distinct(features(data), self.domain))
        place = rng.part(self._selection(len(cells)), data)  # [P1]
        chosen = cells[place] if place < len(cells) else rng.below(self.domain.size)  # [P2]
        return PointRule(domain=self.domain, point=chosen)


def _samples(task: Task) -> SampleBound:
    return bounds.realizable(
        size=task.concept_class.size or 0, **task.asked("alpha", "beta", "epsilon")
    )


def _mechanism(task: Task, bound: SampleBound, _size: Size) -> LabelPointLearner:
    return LabelPointLearner(
        domain=task.concept_class.domain,
        epsilon=task.privacy.epsilon,
        spare=exact(bound.choices["spare"], name="spare"),
    )


def _tiny(_entry: Algorithm) -> Tiny:
    return Tiny(
        make=lambda e: LabelPointLearner(domain=TWO, epsilon=e, spare=Fraction(1)),
        records=POINTS,
        n=3,
        pairs=[(((0, 1),) * 4 + ((1, 0),) * 20, ((0, 0),) + ((0, 1),) * 3 + ((1, 0),) * 20)],
    )


LABEL_POINTS = ALGORITHMS.add(
    Algorithm(
        name="label-points",
        summary="select among the public values by their records with label 1, else a point at "
        "random; records do not grow with the domain",
        applies=Applies(
            proper=True,
            classes=(Points,),
            settings=("realizable",),
            relations=(Relation.LABEL,),
        ),
        claim=LabelPointLearner.CLAIM,
        bound=_samples,
        build=_mechanism,
        tiny=_tiny,
    )
)
