"""One rule drawn from all kinds, and a sum of small trees: the better of both is released."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar

import numpy as np

from tacit.bounds.upper.stages import mistakes_of_one_draw, staged
from tacit.core import (
    BadInput,
    Claim,
    Drawer,
    Event,
    Hypothesis,
    Mechanism,
    Relation,
    Sample,
    Sampler,
    Selection,
)
from tacit.core.tally import Streamed
from tacit.domains.fields import Number
from tacit.domains.schema import Field, Schema
from tacit.exact.landscape import Flat
from tacit.mechanisms.calibration import round_down, spread
from tacit.problems.marginals.budget import Budget
from tacit.problems.tables.boosted_learner import BoostedLearner, fitting_rounds
from tacit.problems.tables.boosted_rules import BoostedRule, BoostedTrees
from tacit.problems.tables.deep_trees import FOUR
from tacit.problems.tables.kinds import KindsLearner
from tacit.problems.tables.odds_steps import LAST
from tacit.problems.tables.rule_counts import RuleCounts
from tacit.problems.tables.tree_learner import MOST_CELLS

BOOSTED_CELLS = 64
FEWEST = (1 << FOUR) // 4 + 1
"""With so many trees of four leaves a sum has more leaves than any tree that is drawn alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoostedOrDrawn(Mechanism[Sample, Hypothesis], Drawer):
    """Draw a rule of any kind, add up small trees, and draw the one of both that errs less.

    Privacy
    -------
    Requires  both learners are public; the first is one selection, and what both and the last
              draw cost adds up to ``budget`` at most (checked).
    Ensures   ``budget``: pure epsilon, or rho of zCDP, under its relation.
    Proof     Theorem 1 of ``boosted_or_drawn.proof.md``.
    Numerics  exact, as its parts.

    Utility
    -------
    Theorem 2: at most ``ln(2/beta)/rate`` mistakes more than either, ``rate`` that of the last
    draw, on every table.

    Edge cases
    ----------
    As ``KindsLearner`` and ``BoostedLearner``.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="own",
        locator="Boosted or drawn, Theorem 1",
        statement="a draw over several kinds, boosting, and a last draw between the two rules, "
        "whose shares add up to a budget, cost that budget",
        proof="problems/tables/boosted_or_drawn.proof.md",
    )

    drawn: KindsLearner
    boosted: BoostedLearner
    budget: Budget
    spent: Fraction

    def __post_init__(self) -> None:
        first = self.drawn.event()
        same = self.drawn.relation is self.relation and self.boosted.relation is self.relation
        if not isinstance(first, Selection) or not same:
            raise BadInput("both learners must have one relation, and the first be one selection")
        if self.boosted.budget.concentrated is not self.budget.concentrated:
            raise BadInput("both budgets must be of one kind")
        one = first.epsilon**2 / 8 if self.budget.concentrated else first.epsilon
        if one + self.boosted.budget.amount + self._last.amount > self.budget.amount:
            raise BadInput("both learners and the last draw cost more than the budget")
        if not self.last_rate:
            raise BadInput("epsilon is too small for a last draw")

    # -- how the budget is spent -----------------------------------------------------------

    @property
    def epsilon(self) -> Fraction:
        return self.spent

    @property
    def relation(self) -> Relation:
        return self.budget.relation

    @property
    def _last(self) -> Budget:
        return self.budget.share(LAST)

    @property
    def last_rate(self) -> Fraction:
        """The exponent per mistake of the last draw."""
        return round_down(self._last.bounded / spread(self.relation))

    def event(self) -> Event:
        return self.budget.event()

    # -- what is public about the draw: ``Drawer`` -----------------------------------------

    @property
    def least_prior(self) -> Fraction:
        return min(self.drawn.least_prior, self.boosted.least_prior) / 2

    @property
    def drawn_from(self) -> str:
        return f"{self.drawn.drawn_from}; or {self.boosted.drawn_from}"

    @property
    def compared_with(self) -> str:
        return self.drawn.compared_with

    def prior(self, rule: Hypothesis) -> Fraction:
        which = self.boosted if isinstance(rule, BoostedRule) else self.drawn
        return which.prior(rule) / 2

    def comparators(self) -> tuple[tuple[str, Fraction], ...]:
        return ()  # the rule does not come from one draw

    def lost(self, beta: Fraction) -> Fraction:
        return self.drawn.lost(beta / 2) + self._lost_last(beta / 2)

    def _lost_last(self, beta: Fraction) -> Fraction:
        return mistakes_of_one_draw(prior=Fraction(1, 2), rate=self.last_rate, beta=beta)

    def keeps(self, *, n: int, prior: Fraction, alpha: Fraction, beta: Fraction) -> bool:
        """Whether ``n`` records suffice for ``alpha`` above every drawn rule of this prior."""
        draw = mistakes_of_one_draw(prior=prior, rate=self.drawn.rate, beta=beta / 4)
        bound = staged(
            extra=draw + self._lost_last(beta / 4),
            least_prior=self.least_prior,
            alpha=alpha,
            beta=beta,
        )
        return bound.n <= n

    # -- the draws -------------------------------------------------------------------------

    def prepare(self) -> None:
        self.drawn.prepare()
        self.boosted.prepare()

    def _release(self, data: Sample, *, rng: Sampler) -> Hypothesis:
        rules: list[Hypothesis] = [rng.part(self.drawn, data), rng.part(self.boosted, data)]  # [P1]
        landscape = Flat(np.array([_mistakes(rule, data) for rule in rules], dtype=np.int64))
        levels = landscape.levels()
        index = rng.level(levels, rate=self.last_rate)  # [P2]
        rank = rng.below(int(levels.counts[index]))
        return rules[landscape.member(int(levels.errors[index]), rank)]


def _mistakes(rule: Hypothesis, data: Sample | Streamed) -> int:
    return RuleCounts(rule).of(data)[0]


def drawn_share(budget: Budget) -> Fraction:
    """What a draw over all kinds has of a budget: half of the rate that all of it would buy."""
    return Fraction(1, 4) if budget.concentrated else Fraction(1, 2)


def _rest(budget: Budget) -> Budget:
    """What the other two draws leave to boosting."""
    return budget.share(1 - LAST - drawn_share(budget))


def paid_rounds(schema: Schema, *, budget: Budget, n: int) -> int:
    """How many rounds boosting can pay for: Theorem 3 of ``boosted_learner.proof.md``."""
    return fitting_rounds(BoostedTrees(schema), _rest(budget), n)


def beside(
    drawn: KindsLearner, schema: Schema, *, budget: Budget, spent: Fraction, rounds: int
) -> BoostedOrDrawn:
    """A draw, with so many rounds of boosting over ``schema`` beside it."""
    boosted = BoostedLearner(
        family=BoostedTrees(schema), rounds=rounds, budget=_rest(budget), spent=spent
    )
    return BoostedOrDrawn(drawn=drawn, boosted=boosted, budget=budget, spent=spent)


def finer(schema: Schema, cells: tuple[int, ...]) -> Schema:
    """The same columns; numeric ones of so many cells by default get 64, where pairs then fit."""

    def cut(field: Field) -> Field:
        if isinstance(field, Number) and field.edges is None and field.bins in cells:
            return replace(field, bins=BOOSTED_CELLS)
        return field

    fine = Schema(schema.names, tuple(cut(field) for field in schema.fields), schema.public)
    return fine if sum(fine.cells) <= MOST_CELLS else schema
