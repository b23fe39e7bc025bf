"""Learn an infinite class over real data, from a cover that a public reference gives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

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
    Size,
    Task,
    Tiny,
    tiny_task,
)
from tacit.core.certify import Certifier, Facts, Outcome
from tacit.core.numbers import show
from tacit.core.tiny import labelled
from tacit.domains.references import Reference, uniform_cube
from tacit.problems.finite.finite_class import FiniteClassLearner
from tacit.problems.reals import covers_upper as covers
from tacit.problems.reals.halfspaces import HalfspaceCover, Halfspaces
from tacit.problems.reals.real_boxes import RealBoxes, RealIntervals
from tacit.problems.reals.real_thresholds import RealThresholds

CLASSES = (RealThresholds, RealIntervals, RealBoxes, Halfspaces)


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicReferenceLearner(Mechanism[Sample, Hypothesis]):
    """Select a rule of a public cover by its mistakes: CH11's A_1 and A_1r.

    Privacy
    -------
    Requires  ``cells`` depends on public numbers only; then so does the cover.
    Ensures   the privacy of the exponential mechanism at ``epsilon``.
    Proof     Theorem 1 of ``public_reference.proof.md``.
    Numerics  exact: mistakes are whole numbers of the very functions that are released.

    Utility
    -------
    ``tacit.problems.reals.covers_upper``: CH11 Theorems 8 and 9. It rests on the marginal being
    smooth against the reference; privacy does not.

    Edge cases
    ----------
    Records outside the domain, no records, constant labels: the selection's law, as ever.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="CH11",
        locator="Theorem 7",
        statement="selecting from a cover that no record has touched, with weight "
        "exp(-epsilon mistakes / w), is epsilon-DP when mistakes move by at most w apart",
        proof="problems/reals/public_reference.proof.md",
    )

    concept_class: Any
    cells: int
    epsilon: Fraction
    relation: Relation = Relation.REPLACE_ONE

    def _learner(self) -> FiniteClassLearner:
        return FiniteClassLearner(
            concept_class=self.concept_class.cover(self.cells),  # [P1]
            epsilon=self.epsilon,
            relation=self.relation,
        )

    def event(self) -> Event:
        return self._learner().event()

    def prepare(self) -> None:
        """Compile what counts the cover's mistakes."""
        cover = self.concept_class.cover(self.cells)
        if isinstance(cover, HalfspaceCover):
            cover.prepare()
        self._learner().prepare()

    def _release(self, data: Sample, *, rng: Sampler) -> Hypothesis:
        return rng.part(self._learner(), data)  # [P2]


def reference_of(task: Task) -> Reference | None:
    """The public reference that a task names; ``"uniform"`` stands for the class's own."""
    concept_class: Any = task.concept_class
    if task.marginal == "uniform":
        return Reference(concept_class.shape, columns=concept_class.columns)
    return task.marginal if isinstance(task.marginal, Reference) else None


def _bound(task: Task, setting: str, kappa: Fraction, *, limited: bool = True) -> SampleBound:
    family: Any = task.concept_class
    return covers.public_reference(
        family,
        setting=setting,
        kappa=kappa,
        alpha=task.accuracy.alpha,
        beta=task.accuracy.beta,
        epsilon=task.privacy.epsilon,
        relation=task.privacy.relation,
        limited=limited,
    )


def smoothness(task: Task, records: int, *, setting: str | None = None) -> Fraction:
    """The ``kappa`` for which the guarantee holds: the reference's, or, where that is left
    open, the largest one that this many records can bear.
    """
    reference = reference_of(task)
    if reference is None:
        raise BadInput("marginal must be a public reference such as uniform_cube(kappa=2)")
    if reference.kappa is not None:
        return reference.kappa
    family: Any = task.concept_class
    return covers.best_kappa(
        family,
        records=records,
        setting=setting or task.setting,
        alpha=task.accuracy.alpha,
        beta=task.accuracy.beta,
        epsilon=task.privacy.epsilon,
        relation=task.privacy.relation,
    )


@dataclass(frozen=True, slots=True)
class SmoothFor(Certifier):
    """Say of a release for which ``kappa`` its accuracy holds, where the reference leaves it open.

    ``planned``  the number of records that the theorem asks for: what counts where the number
                 of records is private.
    """

    setting: str
    limited: bool
    planned: Callable[[Task], int]

    def __call__(self, task: Task, outcome: Outcome) -> Facts:
        what = task.concept_class.describe()
        reference = reference_of(task)
        if reference is None or reference.kappa is not None:
            return Facts(what=what)
        records = self.planned(task) if outcome.n is None else outcome.n
        kappa = Fraction(1)
        if self.limited and records >= self.planned(task):
            kappa = smoothness(task, records, setting=self.setting)
        return Facts(
            what=f"{what}, for features whose law gives no set more than {show(kappa)} times its "
            f"share of the {reference.shape} (kappa = {show(kappa)})"
        )


def _fits_the_class(task: Task) -> bool:
    reference = reference_of(task)
    family: Any = task.concept_class
    return reference is not None and (reference.shape, reference.columns) == (
        family.shape,
        family.columns,
    )


def _other_reference(task: Task) -> str:
    family: Any = task.concept_class
    return f"needs a reference on the {family.columns}-dimensional {family.shape}"


def _tiny(entry: Algorithm) -> Tiny:
    rows = labelled([(0.2,), (0.7,)])
    real, cube = RealThresholds(), uniform_cube(kappa=2)
    return tiny_task(
        entry, real, real, records=rows, usual=((0.2,), 1), odd=((0.7,), 0), marginal=cube
    )


def _register(
    name: str, setting: str, summary: str, claim: Claim, *, limited: bool = True
) -> Algorithm:
    settings = ("realizable",) if setting == "realizable" else ("realizable", "agnostic")

    def samples(task: Task) -> SampleBound:
        # An open kappa is at least 1; more records than these bear a larger one.
        reference = reference_of(task)
        kappa = (reference.kappa if reference else None) or Fraction(1)
        return _bound(task, setting, kappa, limited=limited)

    def runs(task: Task) -> str | None:
        size, family = samples(task).choices["size"], task.concept_class
        if not isinstance(family, CLASSES) or size <= family.runnable:
            return None
        return f"lists a cover of about 2^{size.bit_length() - 1} rules"

    def mechanism(task: Task, least: SampleBound, size: Size) -> PublicReferenceLearner:
        bound = least
        if limited:
            bound = _bound(task, setting, smoothness(task, size.n, setting=setting))
        return PublicReferenceLearner(
            concept_class=task.concept_class,
            cells=bound.choices["cells"],
            epsilon=bound.choices["epsilon"],
            relation=task.privacy.relation,
        )

    return ALGORITHMS.add(
        Algorithm(
            name=name,
            summary=summary,
            applies=Applies(
                proper=True,
                classes=CLASSES,
                settings=settings,
                further=(
                    Condition(
                        "a public reference: marginal=uniform_cube(...) or uniform_sphere(...)",
                        lambda task: reference_of(task) is not None,
                    ),
                    Condition(
                        "a reference on the sphere or cube of the class",
                        _fits_the_class,
                        says=_other_reference,
                    ),
                ),
            ),
            claim=claim,
            bound=samples,
            build=mechanism,
            certify=SmoothFor(setting, limited, lambda task: samples(task).n),
            tiny=_tiny,
            runs=runs,
        )
    )


A_1 = _register(
    "public-reference",
    "agnostic",
    "select from a cover of the class under a public reference distribution",
    covers.AGNOSTIC,
)
A_1R = _register(
    "public-reference-realizable",
    "realizable",
    "the same with fewer records, when some concept makes no error",
    covers.REALIZABLE,
)
A_1_ANY = _register(
    "public-reference-any-cover",
    "agnostic",
    "the same with a cover of any size, which may be too large to be run",
    covers.AGNOSTIC,
    limited=False,
)
A_1R_ANY = _register(
    "public-reference-realizable-any-cover",
    "realizable",
    "fewer records with a cover of any size, when some concept makes no error",
    covers.REALIZABLE,
    limited=False,
)
