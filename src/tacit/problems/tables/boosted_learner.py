"""Boosting by exact draws: tree after tree, each drawn where the points so far err most."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import log
from typing import ClassVar

import numpy as np
import numpy.typing as npt

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
from tacit.mechanisms.calibration import round_down, weighted_spread
from tacit.problems.marginals.budget import Budget
from tacit.problems.tables.boosted_rules import (
    MOST_ROUNDS,
    BoostedRule,
    BoostedTrees,
    Card,
    points_of,
)
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
    gaps_of,
    slopes,
)
from tacit.problems.tables.points_rule import MOST_POINTS, POINTS
from tacit.problems.tables.records import known
from tacit.problems.tables.tiny_rules import ONE_CELL, tiny_rules
from tacit.problems.tables.tree_learner import too_many_pairs
from tacit.problems.tables.tree_nodes import Node
from tacit.problems.tables.tree_weights import Rows, Weigher
from tacit.tallies.placed import placed

VALUES = Fraction(3, 10)
"""The part of a round's budget for the points of its leaves."""
_UNKNOWN = 8
"""Rounds where the number of records is not known."""

Cells = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoostedLearner(Mechanism[Sample, Hypothesis], BesideConstants):
    """Draw trees one after another, each against what the points so far do not explain.

    Noisy numbers of records of both labels say what chance everybody starts with. A round weighs
    every record by how far its label is from the estimated chance, one half at most (as MadaBoost
    caps weights: Domingo and Watanabe 2000), so that at first both labels weigh alike, draws a tree
    of two levels by weighted mistakes, and gives each leaf points from two noisy sums. The cap
    halves how far weighted mistakes move when a record is replaced, or comes or goes; where labels
    alone are protected it would halve nothing, and there is none. At the end one draw decides
    between the sum of all trees and the two constant labels; whichever it is, the points rank
    records.

    Privacy
    -------
    Requires  schema, rounds, steps and budget are public.
    Ensures   ``budget``: pure epsilon, or rho of zCDP, under its relation.
    Proof     Theorem 1 of ``boosted_learner.proof.md``.
    Numerics  exact: whole weights, exact draws, whole noise. Points are computed in floating point
              from released numbers alone.

    Utility
    -------
    Theorem 2: at most ``ln(3/beta)/rate`` mistakes more than the better constant label, on
    every table, ``rate`` that of the last draw. Of the sum of trees nothing more is proved.

    Edge cases
    ----------
    No records, one column, constant labels: noise decides.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="own",
        locator="Boosted trees, Theorem 1",
        statement="rounds of an exact draw by weighted mistakes and two noisy sums a leaf, whose "
        "shares add up to a budget, cost that budget",
        proof="problems/tables/boosted_learner.proof.md",
    )

    family: BoostedTrees
    rounds: int
    budget: Budget
    spent: Fraction
    steps: int = STEPS
    values: Fraction = VALUES
    sizes: Fraction = SIZES

    def __post_init__(self) -> None:
        object.__setattr__(self, "rounds", whole(self.rounds, name="rounds", least=1))
        object.__setattr__(self, "steps", whole(self.steps, name="steps", least=2))
        object.__setattr__(self, "values", probability(self.values, name="values"))
        object.__setattr__(self, "sizes", probability(self.sizes, name="sizes"))
        if self.sizes + LAST >= 1:
            raise BadInput("sizes must leave something for the rounds")
        if not self.rate or not self.last_rate:
            raise BadInput("epsilon is too small for so many rounds: use fewer")

    # -- how the budget is spent -----------------------------------------------------------

    @property
    def each(self) -> Budget:
        """What a round costs."""
        return self.budget.share((1 - LAST - self.sizes) / self.rounds)

    @property
    def rate(self) -> Fraction:
        """The exponent per unit of weight, ``1/steps`` of a mistake, of a round's draw."""
        epsilon = self.each.share(1 - self.values).bounded
        moved = weighted_spread(self.relation, capped=self.capped)
        return round_down(epsilon / (self.steps * moved))

    @property
    def capped(self) -> bool:
        """Whether a record weighs one half at most: wherever mistakes then move half as far."""
        return _capped(self.relation)

    def event(self) -> Event:
        return self.budget.event()

    @property
    def sums(self) -> NoisySums:
        """The noise on both sums of a round's leaves."""
        return NoisySums(self.each.share(self.values), self.steps, capped=self.capped)

    # -- what is public about the draw: ``Drawer`` -----------------------------------------

    @property
    def least_prior(self) -> Fraction:
        return self.family.least_prior(self.rounds)

    @property
    def drawn_from(self) -> str:
        return self.family.describe()

    def prior(self, rule: Hypothesis) -> Fraction:
        """Of a rule that it may release, now or before weights were capped; 0 of any other."""
        if not isinstance(rule, BoostedRule) or (rule.capped and not self.capped):
            return Fraction(0)
        if rule.always is not None:
            return Fraction(1, 4)
        return self.least_prior if self.family.has(rule, rounds=self.rounds) else Fraction(0)

    # -- the rounds ------------------------------------------------------------------------

    def prepare(self) -> None:
        from tacit.problems.tables.warm import warm, warm_weighted

        warm(self.family.depth)
        warm_weighted()

    def _release(self, data: Sample, *, rng: Sampler) -> BoostedRule:
        schema = self.family.schema
        cells, labels = placed(data, schema)  # [P1]
        rows = Rows(np.ascontiguousarray(cells.T), labels.astype(np.int64))
        weigher = Weigher(self.family.trees, self.rate)
        ones = int(labels.sum())
        sizes = self.budget.share(self.sizes)
        start = self._start(sizes.measured(np.array([len(labels) - ones, ones]), rng))  # [P2]
        score = np.full(len(labels), start, dtype=np.int64)
        cards: list[Card] = []
        for _ in range(self.rounds):
            chance = chances(score, self.steps)  # [P3]
            gaps = gaps_of(labels, chance, self.steps, capped=self.capped)
            node = weigher.weighted(rows, np.abs(gaps))
            tree = weigher.draw(node, levels=self.family.depth, rng=rng)  # [P4]
            root = weigher.trees.hypothesis(tree).root
            curves = slopes(chance, self.steps)
            everybody = np.ones(len(labels), dtype=bool)
            card = self._valued(root, cells, everybody, (gaps, curves), rng)
            cards.append(card)
            score += points_of(card, cells)
        summed = BoostedRule(schema=schema, start=start, trees=tuple(cards), capped=self.capped)
        return self._last(summed, score, labels, rng=rng)  # [P6]

    def _valued(
        self,
        root: Node,
        cells: Cells,
        inside: npt.NDArray[np.bool_],
        sums: tuple[Numbers, Numbers],
        rng: Sampler,
    ) -> Card:
        """The same questions, with points in the leaves, from what the records inside sum to."""
        if isinstance(root, int):
            gap, slope = (int(of.sum(where=inside)) for of in sums)
            return self._points(*self.sums.of_part(gap, slope, rng))  # [P5]
        cut, low, high = root
        yes = cut.asks(cells)
        return (
            cut,
            self._valued(low, cells, inside & yes, sums, rng),
            self._valued(high, cells, inside & ~yes, sums, rng),
        )

    def _points(self, gap: int, slope: int) -> int:
        """A Newton step for the logarithm of the odds, held back where noise rules."""
        usual = self.sums.usual
        if abs(gap) < usual / 2:
            return 0
        points = round(POINTS * gap / (max(slope, 0) + usual))
        return max(-MOST_POINTS, min(MOST_POINTS, points))


def _capped(relation: Relation) -> bool:
    return relation is not Relation.LABEL


def fitting_rounds(family: BoostedTrees, budget: Budget, n: int | None) -> int:
    """How many rounds public numbers pay for; 0 where none, or where ``n`` is not known.

    The most rounds, 32 at most, in each of which privacy costs no more than sampling does: a
    draw loses ``nats/rate`` weighted mistakes to the best tree, and ``n`` records tell the
    errors of all trees to ``most sqrt(n nats/2)``, ``most`` the largest weight. Theorem 3 of
    ``boosted_learner.proof.md``.
    """
    if n is None:
        return 0
    capped = _capped(budget.relation)
    most = 0.5 if capped else 1.0
    nats = -log(family.trees.least_prior())
    for rounds in range(MOST_ROUNDS // 2, 0, -1):
        each = budget.share((1 - LAST - SIZES) * (1 - VALUES) / rounds).bounded
        rate = float(each / weighted_spread(budget.relation, capped=capped))
        if n * (most * rate) ** 2 >= 2 * nats:
            return rounds
    return 0


def _family(task: Task) -> BoostedTrees:
    family = task.concept_class
    assert isinstance(family, BoostedTrees)
    return family


def _learners(task: Task, n: int | None) -> list[BoostedLearner]:
    """Boosting with each kind of budget that the task allows: zCDP only where there is a delta."""
    family, pure = _family(task), task.with_(delta=0)
    found = []
    for one in (task, pure) if task.privacy.delta else (task,):
        budget = budget_of(one)
        fitting = _UNKNOWN if n is None else max(1, fitting_rounds(family, budget, n))
        rounds = family.rounds or fitting
        found.append(
            BoostedLearner(family=family, rounds=rounds, budget=budget, spent=task.privacy.epsilon)
        )
    return found


def _learner(task: Task, n: int | None) -> BoostedLearner:
    """The one with more rounds; of two with as many, the one whose draws err less."""
    return max(_learners(task, n), key=lambda one: (one.rounds, one.rate))


def _samples(task: Task) -> SampleBound:
    """Against the better constant label, for the most rounds that may be run: Theorem 2."""
    family, accuracy = _family(task), task.accuracy
    return staged(
        extra=max(one.lost(accuracy.beta / 2) for one in _learners(task, None)),
        least_prior=family.least_prior(family.rounds or MOST_ROUNDS // 2),
        alpha=accuracy.alpha,
        beta=accuracy.beta,
    )


def _made(epsilon: Fraction) -> BoostedLearner:
    """One round, chances of a half and a large budget: few ways need to be followed."""
    budget = Budget(amount=64 * epsilon, concentrated=False, relation=Relation.REPLACE_ONE)
    return BoostedLearner(
        family=BoostedTrees(ONE_CELL, rounds=1),
        rounds=1,
        budget=budget,
        spent=budget.amount,
        steps=2,
        values=Fraction(4, 5),
        sizes=Fraction(1, 2),
    )


def _tiny(entry: Algorithm) -> Tiny:
    sampled = tiny_rules(entry, lambda schema: BoostedTrees(schema, rounds=1), cells=1)
    records = [((0,), 0), ((0,), 1)]
    only = [
        ((records[0],) * 2, (records[0], records[1])),
        ((records[0], records[1]), (records[1],) * 2),
    ]
    return sampled.exactly(_made, records=records, n=2, only=only, faint=FAINT)


BOOSTED_TREES = ALGORITHMS.add(
    Algorithm(
        name="boosted trees",
        summary="exact draws of small trees one after another, their noisy points added up",
        applies=Applies(proper=True, classes=(BoostedTrees,), ignores=True),
        claim=BoostedLearner.CLAIM,
        bound=_samples,
        build=lambda task, _bound, size: _learner(task, known(size)),
        certify=DRAWN,
        tiny=_tiny,
        runs=too_many_pairs,
    )
)
