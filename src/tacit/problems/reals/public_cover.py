"""Learn over real data with a cover that public records without labels make."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Protocol, runtime_checkable

import numpy as np

from tacit.core import (
    ALGORITHMS,
    Algorithm,
    Applies,
    BadInput,
    Claim,
    ConceptClass,
    Condition,
    Counted,
    Event,
    Hypothesis,
    Mechanism,
    PublicRecords,
    Relation,
    Sample,
    SampleBound,
    Sampler,
    Selection,
    Size,
    Task,
    Tiny,
    tiny_task,
)
from tacit.core.numbers import positive, whole
from tacit.core.tiny import labelled
from tacit.domains.reals import Floats
from tacit.problems.finite.finite_class import FiniteClassLearner
from tacit.problems.reals import public_cover_upper as public_covers
from tacit.problems.reals.label_covers_upper import CoverableOn
from tacit.problems.reals.label_private_cover import in_the_plane
from tacit.problems.reals.public_reference import CLASSES
from tacit.problems.reals.real_thresholds import RealThresholds
from tacit.problems.thresholds.some_thresholds import ThresholdsOnRecords
from tacit.problems.thresholds.thresholds import Thresholds


@runtime_checkable
class CoversRecords(ConceptClass, CoverableOn, Protocol):
    """A class that can be covered on given records."""

    def cover_on(self, x: Floats, reach: int) -> Counted:
        """Rules of which one disagrees with any concept on ``reach`` records at most."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicCoverLearner(Mechanism[Sample, Hypothesis]):
    """Cover the class on public records, then select by the private records' mistakes.

    The released rule may show values of public records.

    Privacy
    -------
    Requires  ``public`` are records that no private one had a part in.
    Ensures   the privacy of the exponential mechanism at ``epsilon``.
    Proof     Theorem 1 of ``public_cover.proof.md``.
    Numerics  exact: mistakes are whole numbers of the very functions that are released.

    Utility
    -------
    ``tacit.problems.reals.public_cover_upper``, for private features of the public records'
    law, or ``kappa``-smooth against it.

    Edge cases
    ----------
    No private records, constant labels, records outside the domain: the selection's law.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="own",
        locator="Theorem 1 of problems/reals/public_cover.proof.md",
        statement="selecting by mistakes from a cover that public records alone decide has the "
        "privacy of the selection",
        proof="problems/reals/public_cover.proof.md",
    )

    concept_class: CoversRecords
    public: PublicRecords
    reach: int
    epsilon: Fraction
    relation: Relation = Relation.REPLACE_ONE

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", positive(self.epsilon, name="epsilon"))
        whole(self.reach, name="reach", least=0)

    def event(self) -> Event:
        return Selection(epsilon=self.epsilon, relation=self.relation)

    def cover(self) -> Counted:
        """The rules that are chosen from: a function of the public records alone."""
        if self.public.values is None:
            raise BadInput("the public records themselves are needed, not only their number")
        return self.concept_class.cover_on(np.asarray(self.public.values), self.reach)  # [P1]

    def prepare(self) -> None:
        """Make the cover, which may be too large or fail, and load what selects from it."""
        self._selection().prepare()

    def _selection(self) -> FiniteClassLearner:
        return FiniteClassLearner(
            concept_class=self.cover(), epsilon=self.epsilon, relation=self.relation
        )

    def _release(self, data: Sample, *, rng: Sampler) -> Hypothesis:
        return rng.part(self._selection(), data)  # [P2]


def coverable(concept_class: ConceptClass) -> CoversRecords:
    """The class with what a cover on given records needs."""
    if isinstance(concept_class, Thresholds):
        return ThresholdsOnRecords(concept_class)
    if not isinstance(concept_class, CoversRecords):
        raise BadInput("covers on records are for thresholds, intervals, boxes and halfspaces")
    return concept_class


def _samples(task: Task) -> SampleBound:
    public = task.public
    if public is None:
        raise BadInput("needs public records: public=...")
    return public_covers.public_cover(
        coverable(task.concept_class),
        records=public.count,
        kappa=public.kappa,
        setting=task.setting,
        alpha=task.accuracy.alpha,
        beta=task.accuracy.beta,
        epsilon=task.privacy.epsilon,
        relation=task.privacy.relation,
    )


def _mechanism(task: Task, bound: SampleBound, _size: Size) -> PublicCoverLearner:
    if task.public is None:
        raise BadInput("needs public records: public=...")
    return PublicCoverLearner(
        concept_class=coverable(task.concept_class),
        public=task.public,
        reach=bound.choices["reach"],
        epsilon=bound.choices["epsilon"],
        relation=task.privacy.relation,
    )


def _tiny(entry: Algorithm) -> Tiny:
    rows = labelled([(0.2,), (0.7,)])
    real = RealThresholds()
    public = PublicRecords(200, values=np.linspace(0, 1, 200)[:, None])
    return tiny_task(
        entry, real, real, records=rows, usual=((0.2,), 1), odd=((0.7,), 0), public=public
    )


PUBLIC_COVER = ALGORITHMS.add(
    Algorithm(
        name="public-cover",
        summary="select from a cover of the class on public records without labels",
        applies=Applies(
            proper=True,
            classes=(*CLASSES, Thresholds),
            further=(
                Condition("public records: public=...", lambda task: task.public is not None),
                Condition(
                    "halfspaces in the plane, or another class",
                    in_the_plane,
                    "covers halfspaces on records in the plane only; give a public reference",
                ),
            ),
        ),
        claim=PublicCoverLearner.CLAIM,
        bound=_samples,
        build=_mechanism,
        tiny=_tiny,
    )
)
