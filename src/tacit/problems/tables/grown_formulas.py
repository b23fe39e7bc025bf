"""Formulas of many clauses: draw the first few at once, then add one clause after another."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field
from fractions import Fraction
from math import isqrt, prod
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from tacit.bounds.upper.stages import mistakes_of_one_draw
from tacit.core import (
    ALGORITHMS,
    Algorithm,
    Applies,
    BadInput,
    Claim,
    Composed,
    Drawer,
    Event,
    Hypothesis,
    Mechanism,
    Relation,
    Sample,
    SampleBound,
    Sampler,
    Size,
    Task,
)
from tacit.core.numbers import positive, whole
from tacit.core.respelled import respelled
from tacit.domains.schema import Schema
from tacit.exact.landscape import Landscape
from tacit.mechanisms.calibration import spread
from tacit.mechanisms.score import Mistakes
from tacit.mechanisms.selection import PermuteAndFlip
from tacit.problems.tables.clauses import FORMS, MOST_CLAUSES, ClauseRule, Formulas
from tacit.problems.tables.drawn import DRAWN
from tacit.problems.tables.records import OverTable, several_draws
from tacit.problems.tables.tiny_rules import tiny_rules
from tacit.tallies.placed import placed

MOST_GROWN = 8

Placed = tuple[npt.NDArray[np.int32], npt.NDArray[np.bool_]]


@dataclass(frozen=True, slots=True)
class _PlacedMistakes(Mistakes):
    """Mistakes on records that are placed already."""

    def __call__(self, data: Placed) -> Landscape:  # type: ignore[override]
        landscape: Landscape = self.concept_class.landscape(*data)
        return landscape


@dataclass(frozen=True, slots=True, kw_only=True)
class GrownFormulaLearner(Mechanism[Sample, Hypothesis], Drawer):
    """A formula of up to ``clauses`` clauses, in as few exact selections as can be counted.

    The first selection is over all formulas of as many clauses as the public limits of
    ``Formulas`` allow, three at most. Each further one is over all clauses, and the two
    constants, one of which leaves the formula as it is.

    Privacy
    -------
    Requires  all parameters are public.
    Ensures   one selection for each of ``stages``, with its part of ``epsilon``; composed,
              ``epsilon``-DP.
    Proof     Theorem 1 of ``grown_formulas.proof.md``.
    Numerics  exact.

    Utility
    -------
    No bound beforehand; Occam's bound holds for the released formula.

    Edge cases
    ----------
    With a single stage it is ``FiniteClassLearner`` over that class. Where no record is left
    to decide a clause, all clauses are equally likely.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="own",
        locator="Grown formulas, Theorem 1",
        statement="adding a clause by permute-and-flip on the records that it can still decide "
        "is a selection by the mistakes of the whole formula",
        proof="problems/tables/grown_formulas.proof.md",
    )

    schema: Schema
    form: str
    clauses: int
    epsilon: Fraction
    columns: int = 2
    chosen: tuple[tuple[int, ...], ...] | None = None
    relation: Relation = Relation.REPLACE_ONE
    stages: tuple[Formulas, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", positive(self.epsilon, name="epsilon"))
        object.__setattr__(self, "relation", Relation.read(self.relation))
        object.__setattr__(self, "clauses", whole(self.clauses, name="clauses", least=1))
        if self.clauses > MOST_GROWN:
            raise BadInput(f"clauses must be 1 to {MOST_GROWN}")
        object.__setattr__(self, "stages", self._stages())

    def _stages(self) -> tuple[Formulas, ...]:
        """The class of each selection."""
        given = (self.schema, self.form, self.columns, self.chosen)
        first = _largest(*given, clauses=min(self.clauses, MOST_CLAUSES))
        # One clause asks at most two columns: larger sets would only repeat it.
        narrow = self.columns if self.chosen else min(self.columns, 2)
        one = Formulas(self.schema, form=self.form, columns=narrow, chosen=self.chosen, clauses=1)
        return (first, *[one] * (self.clauses - first.clauses))

    @property
    def parts(self) -> tuple[Fraction, ...]:
        """The epsilon of each selection, in proportion to the root of ln(candidates).

        Its excess grows like ``ln(candidates) / epsilon``; this split has the least sum.
        """
        roots = [isqrt(10**4 * stage.size.bit_length()) for stage in self.stages]
        return tuple(self.epsilon * root / sum(roots) for root in roots)

    @property
    def least_prior(self) -> Fraction:
        """Not above the prior of any formula that can be released."""
        return Fraction(1, prod(stage.size for stage in self.stages))

    @property
    def drawn_from(self) -> str:
        more = len(self.stages) - 1
        return f"{self.stages[0].describe()}; {more} more clauses, one draw each"

    @property
    def compared_with(self) -> str:
        return self.stages[0].describe()

    def prior(self, rule: Hypothesis) -> Fraction:
        del rule
        return self.least_prior

    def comparators(self) -> tuple[tuple[str, Fraction], ...]:
        return ()  # clauses drawn one after another follow no single law

    def lost(self, beta: Fraction) -> Fraction:
        """An equal part of ``beta`` for each stage; later ones may leave the formula as it is."""
        return sum(
            (
                mistakes_of_one_draw(
                    prior=Fraction(1, stage.size),
                    rate=part / spread(self.relation),
                    beta=beta / len(self.stages),
                )
                for stage, part in zip(self.stages, self.parts, strict=True)
            ),
            Fraction(0),
        )

    def _selections(self) -> list[PermuteAndFlip[Placed]]:
        return [
            PermuteAndFlip(score=_PlacedMistakes(stage), epsilon=part, relation=self.relation)
            for stage, part in zip(self.stages, self.parts, strict=True)
        ]

    def event(self) -> Event:
        events = tuple(one.event() for one in self._selections())
        return events[0] if len(events) == 1 else Composed(events=events, relation=self.relation)

    def _release(self, data: Sample, *, rng: Sampler) -> ClauseRule:
        cells, labels = placed(data, self.schema)  # [P1]
        undecided = np.ones(len(labels), dtype=bool)
        rule = self.stages[0].hypothesis(int(self.form == "cnf"))
        for stage, selection in zip(self.stages, self._selections(), strict=True):
            left = (cells[undecided], labels[undecided])
            added = stage.hypothesis(rng.part(selection, left))  # [P2]
            rule = _joined(rule, added)
            # A clause more can only take ones from a CNF, and only give ones to a DNF.
            undecided = rule.of_cells(cells) == (self.form == "cnf")  # [P3]
        return rule


def _joined(rule: ClauseRule, added: ClauseRule) -> ClauseRule:
    """Both formulas' clauses, each once; an empty one decides everything."""
    clauses = tuple(dict.fromkeys((*rule.clauses, *added.clauses)))
    if () in clauses:
        clauses = ((),)
    return ClauseRule(schema=rule.schema, form=rule.form, clauses=clauses)


def _largest(
    schema: Schema,
    form: str,
    columns: int,
    chosen: tuple[tuple[int, ...], ...] | None,
    *,
    clauses: int,
) -> Formulas:
    """The class of the most clauses that the public limits allow."""
    for fewer in range(clauses, 1, -1):
        try:
            return Formulas(schema, form=form, columns=columns, chosen=chosen, clauses=fewer)
        except BadInput:
            continue
    return Formulas(schema, form=form, columns=columns, chosen=chosen, clauses=1)


@respelled("form", "columns", "chosen", "clauses", after=1)
@dataclass(frozen=True)
class GrownFormulas(OverTable):
    """Formulas of more clauses than can be counted at once: the first few, then one at a time.

    Parameters as ``Formulas``. Errors are compared with the best formula of the first draw.
    """

    schema: Schema
    _: KW_ONLY
    form: str = "cnf"
    columns: int = 2
    chosen: tuple[tuple[int, ...], ...] | None = None
    clauses: int = MOST_CLAUSES + 1
    name: ClassVar[str] = "grown formulas"

    def __post_init__(self) -> None:
        if self.form not in FORMS:
            raise BadInput(f"form must be one of {', '.join(FORMS)}")
        self.learner(epsilon=Fraction(1), relation=Relation.REPLACE_ONE)

    @property
    def first(self) -> Formulas:
        """The class of the first draw."""
        return self.learner(epsilon=Fraction(1), relation=Relation.REPLACE_ONE).stages[0]

    @property
    def size(self) -> int:
        """How many formulas the first draw is over."""
        return self.first.size

    @classmethod
    def tiny(cls) -> Self:
        """A small instance, for tests and demonstrations."""
        return cls(Schema.tiny(), clauses=2)

    def describe(self) -> str:
        return f"{self.first.describe()}, grown to {self.clauses} clauses"

    def learner(self, *, epsilon: Fraction, relation: Relation) -> GrownFormulaLearner:
        """All draws together, with their parts of ``epsilon``."""
        return GrownFormulaLearner(
            schema=self.schema,
            form=self.form,
            clauses=self.clauses,
            columns=self.columns,
            chosen=self.chosen,
            epsilon=epsilon,
            relation=relation,
        )


def _learner(task: Task) -> GrownFormulaLearner:
    family = task.concept_class
    assert isinstance(family, GrownFormulas)
    return family.learner(epsilon=task.privacy.epsilon, relation=task.privacy.relation)


def _samples(task: Task) -> SampleBound:
    return several_draws(task, [_learner(task)])


def _mechanism(task: Task, _bound: SampleBound, _size: Size) -> GrownFormulaLearner:
    return _learner(task)


GROWN_FORMULAS = ALGORITHMS.add(
    Algorithm(
        name="grown formulas",
        summary="one selection of the first clauses, then one for each further clause",
        applies=Applies(proper=True, classes=(GrownFormulas,), ignores=True),
        claim=GrownFormulaLearner.CLAIM,
        bound=_samples,
        build=_mechanism,
        certify=DRAWN,
        tiny=lambda entry: tiny_rules(
            entry,
            lambda schema: GrownFormulas(schema, form="dnf", columns=1, chosen=None, clauses=4),
            cells=1,
        ),
    )
)
