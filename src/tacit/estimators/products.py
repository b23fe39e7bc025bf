"""Readable private rules of one or two conditions: intervals, boxes and conjunctions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, ClassVar

from tacit.classes.products import Boxes, Conjunctions, Intervals, Products
from tacit.core import Relation
from tacit.domains.schema import Schema
from tacit.estimators.table_base import RuleClassifier
from tacit.learners.finite_class import FiniteClassLearner


class _ProductClassifier(RuleClassifier):
    """One permute-and-flip selection over a listed class; parameters as ``TreeClassifier``."""

    _class: ClassVar[type[Products]]

    def _learner(
        self, schema: Schema, *, epsilon: Fraction, relation: Relation, n: int | None
    ) -> FiniteClassLearner:
        del n
        return FiniteClassLearner(
            concept_class=self._class(schema),
            epsilon=epsilon,
            relation=relation,
            selector="permute-and-flip",
        )

    def _prior(self, learner: FiniteClassLearner, rule: Any) -> Fraction:
        del rule
        return Fraction(1, learner.concept_class.size)

    def _sizes(self, learner: FiniteClassLearner) -> list[tuple[str, Fraction]]:
        return [(f"all {learner.concept_class.name}", self._prior(learner, None))]


class IntervalClassifier(_ProductClassifier):
    """``low <= column < high`` for one column, or outside; parameters as ``TreeClassifier``."""

    _class = Intervals


class BoxClassifier(_ProductClassifier):
    """An interval in each of up to two columns; parameters as ``TreeClassifier``."""

    _class = Boxes


class ConjunctionClassifier(_ProductClassifier):
    """Up to two one-sided conditions, or their negation; parameters as ``TreeClassifier``."""

    _class = Conjunctions
