"""One selection from a list of rules over a table: boxes, conjunctions, formulas, scores."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.core import (
    ALGORITHMS,
    Algorithm,
    Applies,
    Hypothesis,
    Relation,
    Sample,
    SampleBound,
    Size,
    Task,
)
from tacit.core.tally import Streamed
from tacit.exact.arrays import Placed
from tacit.exact.landscape import Flat, Landscape
from tacit.mechanisms.calibration import cost_spread
from tacit.mechanisms.score import Mistakes
from tacit.problems.finite.finite_class import FiniteClassLearner
from tacit.problems.tables.clauses import Formulas
from tacit.problems.tables.drawn import DRAWN
from tacit.problems.tables.equally_likely import ListedRules
from tacit.problems.tables.products import Boxes, Conjunctions, Intervals
from tacit.problems.tables.records import one_draw, to_spend
from tacit.problems.tables.scores import Scores
from tacit.problems.tables.short_lists import FewCuts, Totals
from tacit.problems.tables.tiny_rules import tiny_rules
from tacit.tallies.mistakes import AddsUp, listed_mistakes
from tacit.tallies.placed import placed


@dataclass(frozen=True, slots=True)
class CostOfMistakes(Mistakes):
    """Add up what the mistakes of each rule of a list cost.

    A mistake on a record of label 0 or 1 counts ``costs[0]`` or ``costs[1]`` times; the landscape
    of the list takes them.
    """

    costs: tuple[int, int]

    def __call__(self, data: Sample | Streamed) -> Landscape:
        rules, domain = self.concept_class, self.concept_class.domain
        if isinstance(data, Streamed) and isinstance(rules, AddsUp):
            return listed_mistakes(data, _AtCosts(self.concept_class, self.costs), domain)
        landscape: Landscape = rules.landscape(*placed(data, domain), self.costs)
        return landscape

    def spread(self, relation: Relation) -> int:
        """That of sums of costs, which one record moves by the greatest cost at most."""
        return cost_spread(relation, self.costs)


@dataclass(frozen=True, slots=True)
class _AtCosts(AddsUp):
    """A list of rules whose mistakes count as often as they cost."""

    rules: Any  # with costs in its landscape
    costs: tuple[int, int]

    def landscape(self, x: Placed, y: npt.NDArray[np.bool_]) -> Flat:
        found: Flat = self.rules.landscape(x, y, self.costs)
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedRuleLearner(FiniteClassLearner):
    """``FiniteClassLearner`` over rules of a table, which says what it could have released.

    A mistake on a record of label 0 or 1 counts ``costs[0]`` or ``costs[1]`` times
    (``costs.proof.md``).
    """

    concept_class: ListedRules
    costs: tuple[int, int] = (1, 1)

    def _score(self) -> Mistakes:
        if self.costs == (1, 1):
            return Mistakes(self.concept_class)
        return CostOfMistakes(self.concept_class, self.costs)

    @property
    def least_prior(self) -> Fraction:
        return self.concept_class.least_prior()

    def prior(self, rule: Hypothesis) -> Fraction:
        return self.concept_class.prior(rule)

    def comparators(self) -> tuple[tuple[str, Fraction], ...]:
        return self.concept_class.comparators()


def _rules(task: Task) -> ListedRules:
    family = task.concept_class
    assert isinstance(family, ListedRules)
    return family


def selector_for(family: ListedRules) -> str:
    """The selection that draws one rule: scoring rules, tallied and not listed, by their weight."""
    return "exponential" if isinstance(family, Scores) else "permute-and-flip"


def _samples(task: Task) -> SampleBound:
    rules = _rules(task)
    least = rules.least_prior()
    return one_draw(task, prior=least, least_prior=least, selector=selector_for(rules))


def _build(task: Task, bound: SampleBound, size: Size) -> ListedRuleLearner:
    return ListedRuleLearner(
        concept_class=_rules(task),
        epsilon=to_spend(task, bound, size),
        relation=task.privacy.relation,
        selector=bound.choices["selector"],
    )


LISTED = (Intervals, Boxes, Conjunctions, Formulas, FewCuts, Totals)
"""The classes of equally likely rules."""
RULES = ALGORITHMS.add(
    Algorithm(
        name="listed rules",
        summary="one selection by permute-and-flip from all boxes, conjunctions or formulas",
        applies=Applies(
            proper=True,
            classes=LISTED,
            ignores=True,
        ),
        claim=FiniteClassLearner.CLAIM,
        bound=_samples,
        build=_build,
        certify=DRAWN,
        tiny=lambda entry: tiny_rules(entry, Intervals),
    )
)
SCORES = ALGORITHMS.add(
    Algorithm(
        name="scores",
        summary="one exact draw over all scoring rules, few columns favoured beforehand",
        applies=Applies(proper=True, classes=(Scores,), ignores=True),
        claim=FiniteClassLearner.CLAIM,
        bound=_samples,
        build=_build,
        certify=DRAWN,
        tiny=lambda entry: tiny_rules(entry, lambda schema: Scores(schema, columns=1, most=1)),
    )
)
