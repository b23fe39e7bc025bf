"""Learn over real data when only the labels are private: the records make the cover."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from tacit.bounds.search import least
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
    tiny_task,
)
from tacit.core.tiny import labelled
from tacit.mechanisms.score import Mistakes
from tacit.mechanisms.selection import Exponential
from tacit.problems.finite.finite_class import FiniteClassLearner
from tacit.problems.reals import label_covers_upper as label_covers
from tacit.problems.reals.halfspaces import Halfspaces
from tacit.problems.reals.public_reference import CLASSES
from tacit.problems.reals.real_thresholds import RealThresholds
from tacit.tallies.placed import placed


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelPrivateCoverLearner(Mechanism[Sample, Hypothesis]):
    """Cover the class on the records, then select by mistakes: CH11's A_2.

    The released rule may show values of ``x``: under label privacy those are public. All records
    are held as the domain reads them (``tallies.placed``): the cover is made from their features.

    Privacy
    -------
    Requires  neighbours differ in one label; the features are public, and so is their
              number.
    Ensures   the privacy of the exponential mechanism at ``epsilon`` under ``LABEL``.
    Proof     Theorem 1 of ``label_private_cover.proof.md``.
    Numerics  exact: mistakes are whole numbers of the very functions that are released.

    Utility
    -------
    ``tacit.problems.reals.label_covers_upper``: CH11 Theorem 27, for every law of the records as
    their domain holds them.

    Edge cases
    ----------
    No records: one rule is left. Where a cover of this radius would be too large to be
    written out, it is as coarse as it must be: a matter of the public number of records.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="CH11",
        locator="Theorem 26",
        statement="selecting by mistakes from a cover that the features alone decide is "
        "epsilon-DP for the labels",
        proof="problems/reals/label_private_cover.proof.md",
    )

    concept_class: Any
    radius: Fraction
    epsilon: Fraction

    def event(self) -> Event:
        return Exponential(
            score=Mistakes(self.concept_class), epsilon=self.epsilon, relation=Relation.LABEL
        ).event()

    def _reach(self, records: int) -> int:
        wanted = int(self.radius * records)
        most = self.concept_class.listed
        if self.concept_class.most_on(records, wanted) <= most:
            return wanted
        return least(lambda reach: self.concept_class.most_on(records, reach) <= most)

    def _release(self, data: Sample, *, rng: Sampler) -> Hypothesis:
        x, _ = placed(data, self.concept_class.domain)  # [P1]
        cover = self.concept_class.cover_on(x, self._reach(len(x)))  # [P2]
        learner = FiniteClassLearner(
            concept_class=cover, epsilon=self.epsilon, relation=Relation.LABEL
        )
        return rng.part(learner, data)  # [P3]


def in_the_plane(task: Task) -> bool:
    """Whether halfspaces, if these are halfspaces, can be covered on given records."""
    family = task.concept_class
    return not isinstance(family, Halfspaces) or family.columns <= 2


def _samples(task: Task, cover: str = "listed") -> SampleBound:
    concept_class: Any = task.concept_class
    return label_covers.label_private(
        concept_class,
        setting=task.setting,
        alpha=task.accuracy.alpha,
        beta=task.accuracy.beta,
        epsilon=task.privacy.epsilon,
        cover=cover,
    )


def _size(task: Task) -> int:
    """How large the cover of any size is at the planned number of records."""
    family: Any = task.concept_class
    bound = _samples(task, "any")
    return int(family.most_on(bound.n, int(bound.choices["radius"] * bound.n)))


def _runs(task: Task) -> str | None:
    family: Any = task.concept_class
    size = _size(task)
    if size <= family.listed:
        return None
    return f"lists a cover of about 2^{size.bit_length() - 1} rules"


def _mechanism(task: Task, bound: SampleBound, _size: Size) -> LabelPrivateCoverLearner:
    choices = bound.choices
    return LabelPrivateCoverLearner(
        concept_class=task.concept_class, radius=choices["radius"], epsilon=choices["epsilon"]
    )


def _tiny(entry: Algorithm) -> Tiny:
    rows = labelled([(0.2,), (0.7,)])
    real = RealThresholds()
    return tiny_task(
        entry, real, real, records=rows, usual=((0.2,), 1), odd=((0.2,), 0), relation="label"
    )


_APPLIES = Applies(
    proper=True,
    classes=CLASSES,
    relations=(Relation.LABEL,),
    because="builds its cover on the features, so these must be public: relation='label'",
    further=(
        Condition(
            "halfspaces in the plane, or another class",
            in_the_plane,
            "covers halfspaces on the records in the plane only; give a public reference",
        ),
    ),
)
A_2 = ALGORITHMS.add(
    Algorithm(
        name="label-private-cover",
        summary="select from a cover of the class on the records themselves; labels are private",
        applies=_APPLIES,
        claim=label_covers.CLAIM,
        bound=_samples,
        build=_mechanism,
        tiny=_tiny,
    )
)
A_2_ANY = ALGORITHMS.add(
    Algorithm(
        name="label-private-cover-of-any-size",
        summary="the same with a cover of any size, which may be too large to be run",
        applies=_APPLIES,
        claim=label_covers.CLAIM,
        bound=lambda task: _samples(task, "any"),
        build=_mechanism,
        tiny=_tiny,
        runs=_runs,
    )
)
