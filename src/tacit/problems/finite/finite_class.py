"""The generic private learner: select a concept of a finite class by its mistakes."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar

from tacit.bounds.upper import selection
from tacit.bounds.upper.stages import mistakes_of_one_draw
from tacit.core import (
    ALGORITHMS,
    Algorithm,
    Applies,
    BadInput,
    Claim,
    Drawer,
    Event,
    Hypothesis,
    Mechanism,
    Relation,
    Sample,
    SampleBound,
    Sampler,
    Task,
)
from tacit.mechanisms.score import Mistakes
from tacit.mechanisms.selection import SELECTORS
from tacit.problems.points.tiny_points import on_points
from tacit.problems.tables.drawn import DRAWN


@dataclass(frozen=True, slots=True, kw_only=True)
class FiniteClassLearner(Mechanism[Sample, Hypothesis], Drawer):
    """Select one concept of a finite class, weighing each by the records it gets wrong.

    Privacy
    -------
    Requires  ``concept_class`` is public; ``selector`` is a selection of
              ``tacit.mechanisms.selection``.
    Ensures   the privacy of that selection at ``epsilon``.
    Proof     Theorem 1 of ``finite_class.proof.md``.
    Numerics  exact.

    Utility
    -------
    ``tacit.bounds.upper.selection``: BBKN13 Theorem 3.2 and BNS19 Theorem 27.

    Edge cases
    ----------
    No records, unrealizable or constant labels: the selection's law, as ever.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="BBKN13",
        locator="Theorem 3.2",
        statement="selecting from a finite class by mistakes is private and, with n_R records, "
        "learns it",
        proof="problems/finite/finite_class.proof.md",
    )

    concept_class: Any
    epsilon: Fraction
    relation: Relation = Relation.REPLACE_ONE
    selector: str = "exponential"
    _selection: Mechanism[Sample, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        selection = SELECTORS[self.selector](
            score=self._score(), epsilon=self.epsilon, relation=self.relation
        )
        object.__setattr__(self, "_selection", selection)

    def _score(self) -> Mistakes:
        """What concepts are weighed by."""
        return Mistakes(self.concept_class)

    def event(self) -> Event:
        return self._selection.event()

    # -- what is public about the draw: ``Drawer`` -----------------------------------------

    @property
    def rate(self) -> Fraction:
        """The exponent per mistake."""
        return self.epsilon / self._score().spread(self.relation)

    @property
    def least_prior(self) -> Fraction:
        return Fraction(1, self.concept_class.size)

    @property
    def drawn_from(self) -> str:
        text: str = self.concept_class.describe()
        return text

    @property
    def compared_with(self) -> str:
        return self.drawn_from

    def prior(self, rule: Hypothesis) -> Fraction:
        del rule
        return self.least_prior

    def comparators(self) -> tuple[tuple[str, Fraction], ...]:
        return ((f"all {self.concept_class.name}", self.least_prior),)

    def lost(self, beta: Fraction) -> Fraction:
        return mistakes_of_one_draw(prior=self.least_prior, rate=self.rate, beta=beta)

    def streams(self, n: int | None) -> bool:
        return self._selection.streams(n)

    def _release(self, data: Sample, *, rng: Sampler) -> Hypothesis:
        candidate = rng.part(self._selection, data)  # [P1]
        rule: Hypothesis = self.concept_class.hypothesis(candidate)  # [P2]
        return rule


def epsilon_to_spend(task: Task, bound: SampleBound, n: int) -> Fraction:
    """What the theorem asks for, or all that was granted where ``n`` is too small for it.

    The theorem may want a gentler selection than the budget allows. Without enough
    records it promises nothing, and the whole budget serves the records there are.
    """
    asked: Fraction = bound.choices["epsilon"]
    return asked if n >= bound.n else task.privacy.epsilon


def learner_for(task: Task, bound: SampleBound, n: int) -> FiniteClassLearner:
    """The learner with the parameters that ``bound`` was computed for."""
    return FiniteClassLearner(
        concept_class=task.concept_class,
        epsilon=epsilon_to_spend(task, bound, n),
        relation=task.privacy.relation,
        selector=bound.choices["selector"],
    )


def _samples(task: Task, selector: str) -> SampleBound:
    size = task.concept_class.size
    if size is None:
        raise BadInput("this algorithm needs a finite class")
    bound = selection.realizable if task.setting == "realizable" else selection.agnostic
    return bound(size=size, selector=selector, **task.asked("alpha", "beta", "epsilon", "relation"))


def _register(selector: str, summary: str) -> Algorithm:
    def samples(task: Task) -> SampleBound:
        return _samples(task, selector)

    return ALGORITHMS.add(
        Algorithm(
            name=selector,
            summary=summary,
            applies=Applies(proper=True, ignores=True),
            claim=FiniteClassLearner.CLAIM,
            bound=samples,
            build=lambda task, bound, size: learner_for(task, bound, size.n),
            certify=DRAWN,
            tiny=on_points,
        )
    )


EXPONENTIAL = _register(
    "exponential", "draw a concept with weight exp(-rate * mistakes); composes cheaply"
)
PERMUTE_AND_FLIP = _register(
    "permute-and-flip", "flip a coin for each concept in random order; fewer records for one draw"
)
