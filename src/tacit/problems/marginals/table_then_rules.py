"""Several labels through one noisy table: one selection a label among the rules it tells apart.

BNS19 Algorithm 3 (GenericLearner) for rules over tables.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar

import numpy as np

from tacit.bounds.formula import ln, numbers
from tacit.bounds.upper.selection import agnostic_factor, best_rate, realizable_factor
from tacit.bounds.upper.weights import concentrated
from tacit.core import (
    ALGORITHMS,
    Algorithm,
    Applies,
    BadInput,
    Claim,
    Condition,
    Event,
    Mechanism,
    Relation,
    Sample,
    SampleBound,
    Sampler,
    Size,
    Task,
    Tasks,
    Tiny,
    theorem,
    tiny_task,
)
from tacit.core.numbers import probability, whole
from tacit.core.tiny import TWO_LABELS, labelled
from tacit.domains.placing import PlacedTable
from tacit.exact.balls import Ball, ball, ceiling
from tacit.mechanisms.calibration import noise_scale, noise_variance, round_down, spread
from tacit.problems.finite.finite_class import FiniteClassLearner
from tacit.problems.finite.listed import TableRule
from tacit.problems.finite.some_concepts import SomeConcepts
from tacit.problems.marginals.budget import Budget
from tacit.problems.marginals.counts_then_rules import gaussian_sum, geometric_sum
from tacit.problems.marginals.distinct_rules import MOST_ANSWERS, Family, distinct
from tacit.problems.several.direct_sum import DirectSum
from tacit.problems.several.rules import Rules
from tacit.problems.tables.clauses import Formulas
from tacit.problems.tables.products import Boxes, Conjunctions, Intervals
from tacit.problems.tables.short_lists import FewCuts, Totals
from tacit.problems.tables.tiny_rules import LARGE, ONE_CELL
from tacit.problems.tables.trees import Stumps, Trees
from tacit.tallies.combinations import combination_of, combinations
from tacit.tallies.placed import placed

_PROOF = "problems/marginals/table_then_rules.proof.md"

THROUGH_TABLE = Claim(
    paper="BNS19",
    locator="Lemma 36",
    statement="k rules over a table: noisy counts of the unlabelled records by combinations of "
    "cells leave one rule for each way to divide the combinations of positive count, and one "
    "selection a label from these is within alpha of the best of the class; constants ours, "
    "without a separate deviation of the sample",
    proof=_PROOF,
)
_SHARES = tuple(Fraction(part, 64) for part in (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 40, 48))
"""The parts of the budget that the table may have: every one is proved, the best is planned."""
_COARSE = Fraction(1, 1 << 12)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableThenRules(Mechanism[Sample, Rules]):
    """Count the combinations of cells with noise; select a rule a label among those told apart.

    Privacy
    -------
    Requires  class and schema are public; a record is its cells and all its ``k`` labels;
              ``table`` is the part of the budget that the noisy counts cost, ``epsilon`` the
              range of each selection, within a ``k``-th of the rest.
    Ensures   ``budget.event()``: ``epsilon``-DP or ``rho``-zCDP under its relation.
    Proof     Theorem 1 of ``table_then_rules.proof.md``.
    Numerics  exact: counts and noise are whole numbers, selections as ``Exponential``.

    Utility
    -------
    ``through_table`` of this file: Theorem 2.

    Edge cases
    ----------
    No records: noise decides. No combination of positive count: one rule is left.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="BNS19",
        locator="Lemma 36",
        statement="noisy counts that cost a part of a budget, and k selections that share the "
        "rest, cost the budget, also if what is selected from follows from the noisy counts",
        proof=_PROOF,
    )

    family: Family
    budget: Budget
    table: Fraction
    epsilon: Fraction
    k: int

    def __post_init__(self) -> None:
        whole(self.k, name="k", least=1)
        object.__setattr__(self, "table", probability(self.table, name="table"))
        if not 0 < self.epsilon <= _each(self.budget, self.table, self.k):
            raise BadInput("each selection must spend something, within its share of the budget")

    def event(self) -> Event:
        return self.budget.event()

    def _release(self, data: Sample, *, rng: Sampler) -> Rules:
        schema, rules = self.family.schema, distinct(self.family)
        cells, marks = placed(data, schema, tasks=self.k)
        place = combination_of(schema, PlacedTable(cells, schema))
        counts = np.bincount(place, minlength=combinations(schema)).astype(np.int64)
        noisy = self.budget.share(self.table).measured(counts, rng)  # [P1]
        selections = self._selections(rules.told_apart(noisy))  # [P2]
        chosen = rng.part(
            selections, Sample(place, (marks > 0).reshape(-1, self.k), positive=True)
        )  # [P3]
        return Rules(rules=tuple(rules.rule(_number(rule)) for rule in chosen))

    def _selections(self, concepts: SomeConcepts) -> DirectSum:
        relation = self.budget.relation
        learner = FiniteClassLearner(
            concept_class=concepts, epsilon=self.epsilon, relation=relation
        )
        return DirectSum(learner=learner, domain=concepts.domain, k=self.k)


def _number(rule: object) -> int:
    """The row of a rule that was selected by its answers."""
    assert isinstance(rule, TableRule)
    assert rule.concept is not None
    return rule.concept


def _each(budget: Budget, table: Fraction, k: int) -> Fraction:
    """The range of each of ``k`` selections after a table that costs this part of the budget."""
    return round_down(budget.share((1 - table) / k).bounded)


@theorem(
    THROUGH_TABLE,
    kind="upper",
    setting="k rules of a class over a table; proper; realizable or agnostic; pure or approximate",
    formula=r"n=\frac{\ln(2k(D-1)/\beta)+\lambda t}{-\ln A_\lambda},\quad "
    r"P(\sum_{i\le c}Z_i>t)\le\frac{\beta}{2\min(k(D-1),D(D-1)/2)}",
)
def through_table(
    *,
    rules: int,
    cells: int,
    k: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction | int = 0,
    relation: Relation = Relation.REPLACE_ONE,
    setting: str = "agnostic",
) -> SampleBound:
    """Records with which ``k`` rules through one noisy table are within ``alpha`` of the best.

    ``rules`` counts the different rules of the class on ``cells`` combinations of cells.

    >>> through_table(rules=64, cells=6, k=200, alpha=Fraction(1, 10), beta=Fraction(1, 20),
    ...               epsilon=Fraction(1)).n
    64236
    """
    alpha, beta, epsilon = numbers(alpha=alpha, beta=beta, epsilon=epsilon)
    lost = probability(delta, name="delta", zero="allowed")
    rules, cells = whole(rules, name="rules", least=1), whole(cells, name="cells", least=1)
    k = whole(k, name="k", least=1)
    plans = [
        _planned(budget, table, rules, cells, k, alpha, beta, setting)
        for budget in _budgets(epsilon, lost, relation)
        for table in _SHARES
    ]
    return min(plans, key=lambda bound: bound.n)


def _budgets(epsilon: Fraction, delta: Fraction, relation: Relation) -> Iterator[Budget]:
    """The whole budget as pure privacy and, with a delta, as zCDP."""
    yield Budget(amount=epsilon, concentrated=False, relation=relation)
    if delta:
        rho = round_down(concentrated(epsilon=epsilon, delta=delta))
        yield Budget(amount=rho, concentrated=True, relation=relation)


def _planned(
    budget: Budget,
    table: Fraction,
    rules: int,
    cells: int,
    k: int,
    alpha: Fraction,
    beta: Fraction,
    setting: str,
) -> SampleBound:
    """The records that suffice with this part of the budget for the table."""
    wrong, relation = max(1, rules - 1), budget.relation
    pairs = min(k * wrong, -(-rules * wrong // 2))
    hidden = _hidden(budget.share(table), cells, beta / (2 * pairs))
    each = _each(budget, table, k)
    odds = (1 + alpha) / (1 - alpha) if setting == "agnostic" else None
    rate = best_rate(full=each / spread(relation), odds=odds)

    def speed() -> Ball:
        if setting == "agnostic":
            return -agnostic_factor(gain=alpha, rate=rate).log()
        return -realizable_factor(alpha=alpha, rho=Fraction(0), rate=rate).log()

    def confidence() -> Ball:
        return ln(2 * k * wrong / beta)

    return SampleBound(
        n=max(1, ceiling(lambda: (confidence() + ball(rate) * hidden) / speed())),
        claim=THROUGH_TABLE,
        terms={
            "table": float(ball(rate) * hidden / speed()),
            "selections": float(confidence() / speed()),
        },
        choices={
            "concentrated": budget.concentrated,
            "table": table,
            "epsilon": rate * spread(relation),
            "rules": rules,
        },
    )


def _hidden(table: Budget, cells: int, failing: Fraction) -> int:
    """How many records combinations may hold whose noisy counts add up to nothing."""
    if table.concentrated:
        variance = noise_variance(rho=table.amount, relation=table.relation)
        return gaussian_sum(variance, cells, failing)
    return geometric_sum(noise_scale(epsilon=table.amount, relation=table.relation), cells, failing)


def _family(task: Task) -> Family:
    family = task.concept_class
    assert isinstance(family, Family)
    return family


def _bound(task: Task) -> SampleBound:
    family = _family(task)
    return through_table(
        rules=len(distinct(family)),
        cells=combinations(family.schema),
        **task.asked("k", "alpha", "beta", "epsilon", "delta", "relation", "setting"),
    )


def _build(task: Task, bound: SampleBound, size: Size) -> TableThenRules:
    privacy, choices = task.privacy, bound.choices
    pure, *others = _budgets(privacy.epsilon, privacy.delta, privacy.relation)
    budget = others[0] if choices["concentrated"] else pure
    # Without enough records nothing is promised, and the whole budget serves those there are.
    planned = size.n >= bound.n
    epsilon = choices["epsilon"] if planned else _each(budget, choices["table"], task.k)
    return TableThenRules(
        family=_family(task), budget=budget, table=choices["table"], epsilon=epsilon, k=task.k
    )


def _few(task: Task) -> bool:
    family = task.concept_class
    size = family.size or 0
    return isinstance(family, Family) and size * combinations(family.schema) <= MOST_ANSWERS


def _tiny(entry: Algorithm) -> Tiny:
    usual, odd = ((0.2, False), (1, 0)), ((0.8, True), (0, 1))
    # Over one cell no count moves unless records come and go.
    planned = tiny_task(
        entry,
        Intervals(ONE_CELL),
        Intervals(LARGE),
        records=labelled([(0,)], TWO_LABELS),
        usual=usual,
        odd=odd,
        relation="add-remove",
        k=2,
    )
    pairs = [((odd, *[usual] * 11), (usual,) * 11), ((odd,) * 6, (odd,) * 5)]
    return replace(planned, pairs=pairs, order="ignored", faint=_COARSE)


TABLE_THEN_RULES = ALGORITHMS.add(
    Algorithm(
        name="table-then-rules",
        summary="noisy counts of all combinations of cells, then a selection a label among the "
        "rules that they tell apart",
        applies=Applies(
            proper=True,
            classes=(Trees, Stumps, Intervals, Boxes, Conjunctions, Formulas, FewCuts, Totals),
            relations=(Relation.REPLACE_ONE, Relation.ADD_REMOVE),
            because="protects whole records: cells are counted with noise",
            tasks=Tasks.SEVERAL,
            further=(
                Condition(
                    f"at most {MOST_ANSWERS:,} rules times combinations of cells",
                    _few,
                    "compares all rules on all combinations",
                ),
                Condition(
                    "no delta, or no mistakes to count (error_share=0)",
                    lambda task: not task.privacy.delta or task.error_share == 0,
                    "leaves labels of a table to what counts their mistakes",
                ),
            ),
        ),
        claim=THROUGH_TABLE,
        bound=_bound,
        build=_build,
        tiny=_tiny,
    )
)
