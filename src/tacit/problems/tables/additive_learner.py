"""Points for every column's cells: one exact noisy step a column, in the schema's public order."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from tacit.bounds.upper.stages import staged
from tacit.core import (
    ALGORITHMS,
    Algorithm,
    Applies,
    BadInput,
    Claim,
    Event,
    Hypothesis,
    Mechanism,
    Relation,
    Sample,
    SampleBound,
    Sampler,
    Task,
    Tiny,
)
from tacit.core.numbers import probability, whole
from tacit.core.tiny import FAINT
from tacit.problems.marginals.budget import Budget
from tacit.problems.tables.additive_rules import AdditivePoints, AdditiveRule
from tacit.problems.tables.additive_steps import points_of_cells
from tacit.problems.tables.drawn import DRAWN
from tacit.problems.tables.odds_steps import (
    LAST,
    SIZES,
    STEPS,
    BesideConstants,
    NoisySums,
    Numbers,
    budget_of,
    chances,
    slopes,
)
from tacit.problems.tables.tiny_rules import ONE_CELL, tiny_rules
from tacit.tallies.placed import placed

_LOUDEST = 2.0**48
"""Noise on a sum that still fits a word, but for no probability to speak of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdditiveLearner(Mechanism[Sample, Hypothesis], BesideConstants):
    """Give points to every cell of every column, column after column, and add them up.

    Noisy numbers of records of both labels say what chance everybody starts with. For each column
    in turn the gaps between labels and chances, and the slopes of these chances, are summed in
    every cell, with noise; a Newton step that is held back where noise rules is what the cell adds.
    At the end one draw decides between the sum and the two constant labels; whichever it is, the
    points rank records.

    Privacy
    -------
    Requires  schema, steps and budget are public.
    Ensures   ``budget``: pure epsilon, or rho of zCDP, under its relation.
    Proof     Theorem 1 of ``additive_learner.proof.md``.
    Numerics  exact: whole sums, whole noise, an exact draw. Points are computed in floating point
              from released numbers alone.

    Utility
    -------
    Theorem 2: at most ``ln(3/beta)/rate`` mistakes more than the better constant label, on
    every table, ``rate`` that of the last draw. Of the sum of points nothing more is proved.

    Edge cases
    ----------
    No records, one cell, constant labels: noise decides.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="own",
        locator="Additive points, Theorem 1",
        statement="two noisy sums in every cell of one column after another, and a last draw, "
        "whose shares add up to a budget, cost that budget",
        proof="problems/tables/additive_learner.proof.md",
    )

    family: AdditivePoints
    budget: Budget
    spent: Fraction
    steps: int = STEPS
    sizes: Fraction = SIZES

    def __post_init__(self) -> None:
        object.__setattr__(self, "steps", whole(self.steps, name="steps", least=2))
        object.__setattr__(self, "sizes", probability(self.sizes, name="sizes"))
        if self.sizes + LAST >= 1:
            raise BadInput("sizes must leave something for the columns")
        if not self.last_rate or self.sums.usual > _LOUDEST:
            raise BadInput("epsilon is too small for so many columns: use fewer")

    # -- how the budget is spent -----------------------------------------------------------

    @property
    def each(self) -> Budget:
        """What a column costs."""
        return self.budget.share((1 - LAST - self.sizes) / self.family.schema.width)

    @property
    def sums(self) -> NoisySums:
        """The noise on both sums of a column's cells."""
        return NoisySums(self.each, self.steps)

    def event(self) -> Event:
        return self.budget.event()

    # -- what is public about the draw: ``Drawer`` -----------------------------------------

    @property
    def least_prior(self) -> Fraction:
        return self.family.least_prior()

    @property
    def drawn_from(self) -> str:
        return self.family.describe()

    def prior(self, rule: Hypothesis) -> Fraction:
        return self.family.prior(rule) if isinstance(rule, AdditiveRule) else Fraction(0)

    # -- the columns -----------------------------------------------------------------------

    def _release(self, data: Sample, *, rng: Sampler) -> AdditiveRule:
        schema = self.family.schema
        cells, labels = placed(data, schema)  # [P1]
        truth, ones = labels.astype(np.int64), int(labels.sum())
        sizes = self.budget.share(self.sizes)
        start = self._start(sizes.measured(np.array([len(labels) - ones, ones]), rng))  # [P2]
        score = np.full(len(labels), start, dtype=np.int64)
        columns: list[tuple[int, ...]] = []
        for column, many in enumerate(schema.cells):
            places = cells[:, column]
            chance = chances(score, self.steps)  # [P3]
            gaps = _summed(self.steps * truth - chance, places, many)
            curves = _summed(slopes(chance, self.steps), places, many)
            told = self.sums.of_parts(gaps, curves, rng)  # [P4]
            columns.append(self._points(*told))
            score += np.array(columns[-1], dtype=np.int64)[places]
        summed = AdditiveRule(schema=schema, start=start, columns=tuple(columns))
        return self._last(summed, score, labels, rng=rng)  # [P5]

    def _points(self, gaps: Numbers, curves: Numbers) -> tuple[int, ...]:
        """The points of a column's cells, from released sums."""
        return points_of_cells(gaps.tolist(), curves.tolist(), usual=self.sums.usual)


def _summed(of: Numbers, places: Numbers, many: int) -> Numbers:
    """The sum in every cell: whole numbers, which floats add exactly below ``2^53``."""
    return np.bincount(places, weights=of, minlength=many).astype(np.int64)


def paid_cells(family: AdditivePoints, budget: Budget, n: int) -> int:
    """In how many cells ``n`` records may lie evenly so that noise is no more than chance.

    The most cells ``m`` a column for which the noise on a cell's sum is no larger than what the
    labels of ``n/m`` records scatter by at a chance of one half, ``sqrt(n/4m)``: Theorem 3 of
    ``additive_learner.proof.md``. 0 where not even one cell is.
    """
    usual = _learner_of(family, budget).sums.usual / STEPS
    return int(n / (4 * usual**2))


def _learner_of(
    family: AdditivePoints, budget: Budget, spent: Fraction | None = None
) -> AdditiveLearner:
    return AdditiveLearner(
        family=family, budget=budget, spent=budget.amount if spent is None else spent
    )


def _family(task: Task) -> AdditivePoints:
    family = task.concept_class
    assert isinstance(family, AdditivePoints)
    return family


def _learners(task: Task) -> list[AdditiveLearner]:
    """The learner with each kind of budget that the task allows: zCDP only with a delta."""
    kinds = (task, task.with_(delta=0)) if task.privacy.delta else (task,)
    return [_learner_of(_family(task), budget_of(one), task.privacy.epsilon) for one in kinds]


def _learner(task: Task) -> AdditiveLearner:
    """The one with less noise."""
    return min(_learners(task), key=lambda one: one.sums.usual)


def _samples(task: Task) -> SampleBound:
    """Against the better constant label: Theorem 2."""
    learner, accuracy = _learner(task), task.accuracy
    return staged(
        extra=learner.lost(accuracy.beta / 2),
        least_prior=learner.least_prior,
        alpha=accuracy.alpha,
        beta=accuracy.beta,
    )


def _made(epsilon: Fraction) -> AdditiveLearner:
    """One cell, chances of a half and a large budget: few ways need to be followed."""
    budget = Budget(amount=64 * epsilon, concentrated=False, relation=Relation.REPLACE_ONE)
    return AdditiveLearner(
        family=AdditivePoints(ONE_CELL),
        budget=budget,
        spent=budget.amount,
        steps=2,
        sizes=Fraction(1, 2),
    )


def _tiny(entry: Algorithm) -> Tiny:
    sampled = tiny_rules(entry, AdditivePoints, cells=1)
    records = [((0,), 0), ((0,), 1)]
    only = [
        ((records[0],) * 2, (records[0], records[1])),
        ((records[0], records[1]), (records[1],) * 2),
    ]
    return sampled.exactly(_made, records=records, n=2, only=only, faint=FAINT)


ADDITIVE_POINTS = ALGORITHMS.add(
    Algorithm(
        name="additive points",
        summary="noisy points for the cells of every column, one column after another, added up",
        applies=Applies(proper=True, classes=(AdditivePoints,), ignores=True),
        claim=AdditiveLearner.CLAIM,
        bound=_samples,
        build=lambda task, _bound, _size: _learner(task),
        certify=DRAWN,
        tiny=_tiny,
    )
)
