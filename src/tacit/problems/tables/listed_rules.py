"""One selection from a list of rules over a table: boxes, conjunctions, formulas, scores."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from tacit.core import (
    ALGORITHMS,
    Algorithm,
    Applies,
    Hypothesis,
    SampleBound,
    Size,
    Task,
)
from tacit.problems.finite.finite_class import FiniteClassLearner
from tacit.problems.tables.clauses import Formulas
from tacit.problems.tables.drawn import DRAWN
from tacit.problems.tables.equally_likely import ListedRules
from tacit.problems.tables.products import Boxes, Conjunctions, Intervals
from tacit.problems.tables.records import one_draw, to_spend
from tacit.problems.tables.scores import Scores
from tacit.problems.tables.short_lists import FewCuts, Totals
from tacit.problems.tables.tiny_rules import tiny_rules


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedRuleLearner(FiniteClassLearner):
    """``FiniteClassLearner`` over rules of a table, which says what it could have released."""

    concept_class: ListedRules

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


def _bound(selector: str) -> Callable[[Task], SampleBound]:
    def samples(task: Task) -> SampleBound:
        least = _rules(task).least_prior()
        return one_draw(task, prior=least, least_prior=least, selector=selector)

    return samples


def _build(task: Task, bound: SampleBound, size: Size) -> ListedRuleLearner:
    return ListedRuleLearner(
        concept_class=_rules(task),
        epsilon=to_spend(task, bound, size),
        relation=task.privacy.relation,
        selector=bound.choices["selector"],
    )


RULES = ALGORITHMS.add(
    Algorithm(
        name="listed rules",
        summary="one selection by permute-and-flip from all boxes, conjunctions or formulas",
        applies=Applies(
            proper=True,
            classes=(Intervals, Boxes, Conjunctions, Formulas, FewCuts, Totals),
            ignores=True,
        ),
        claim=FiniteClassLearner.CLAIM,
        bound=_bound("permute-and-flip"),
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
        bound=_bound("exponential"),
        build=_build,
        certify=DRAWN,
        tiny=lambda entry: tiny_rules(entry, lambda schema: Scores(schema, columns=1, most=1)),
    )
)
