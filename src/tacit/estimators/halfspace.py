"""Readable private scoring rules: halfspaces with small whole weights."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from sklearn.utils.validation import check_is_fitted

from tacit.core import Relation
from tacit.domains.schema import Schema
from tacit.estimators.table_base import RuleClassifier
from tacit.problems.finite.finite_class import FiniteClassLearner
from tacit.problems.tables.scores import Scores
from tacit.report.score_svg import score_svg


class HalfspaceClassifier(RuleClassifier):
    """Points for the levels of up to three columns, and a threshold.

    One exponential selection over all such rules (``tacit.problems.tables.scores.Scores``);
    parameters as ``TreeClassifier``. Unordered categories are not used.
    """

    def _learner(
        self, schema: Schema, *, epsilon: Fraction, relation: Relation, n: int | None
    ) -> FiniteClassLearner:
        del n
        return FiniteClassLearner(
            concept_class=Scores(schema), epsilon=epsilon, relation=relation, selector="exponential"
        )

    def _family(self, schema: Schema) -> Scores:
        return Scores(schema)

    def to_svg(self) -> str:
        """The rule as a card to fill in by hand."""
        check_is_fitted(self)
        return score_svg(self.rule_, labels=self._label_words())

    def _prior(self, learner: FiniteClassLearner, rule: Any) -> Fraction:
        scores = learner.concept_class
        return Fraction(scores.factors[len(rule.columns) - 1], scores.size)

    def _sizes(self, learner: FiniteClassLearner) -> list[tuple[str, Fraction]]:
        scores = learner.concept_class
        words = ("one column", "two columns", "three columns")
        return [
            (f"scoring rules of {words[kind]}", Fraction(factor, scores.size))
            for kind, factor in enumerate(scores.factors)
        ]
