"""The default for a table: a readable rule of the kind that its public shape calls for."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tacit.classes.scores import Scores
from tacit.classes.trees import Trees
from tacit.core import Relation
from tacit.domains.schema import Schema
from tacit.estimators.tree import TreeClassifier
from tacit.learners.tree_or_score import TreeOrScoreLearner


class BestRuleClassifier(TreeClassifier):
    """A tree; where the columns are too many for three levels, a tree or a scoring rule.

    One exact draw from both classes at once, so the records decide which kind it is and
    nothing extra is paid. Parameters as ``TreeClassifier``. A scoring rule adds up small
    points for the levels of up to three columns (``HalfspaceClassifier``).
    """

    _deepest = 3

    def _learner(
        self, schema: Schema, *, epsilon: Fraction, relation: Relation, n: int | None
    ) -> Any:
        learner: Any = super()._learner(schema, epsilon=epsilon, relation=relation, n=n)
        if not _wants_scores(schema):
            return learner
        return TreeOrScoreLearner(
            trees=learner.trees, scores=Scores(schema), epsilon=epsilon, relation=relation
        )

    def _prior(self, learner: Any, rule: Any) -> Fraction:
        if not isinstance(learner, TreeOrScoreLearner):
            return super()._prior(learner, rule)
        if hasattr(rule, "root"):
            return super()._prior(learner, rule) / 2
        scores = learner.scores
        return Fraction(scores.factors[len(rule.columns) - 1], 2 * scores.size)

    def _sizes(self, learner: Any) -> list[tuple[str, Fraction]]:
        trees = super()._sizes(learner)
        if not isinstance(learner, TreeOrScoreLearner):
            return trees
        least = Fraction(min(learner.scores.factors), 2 * learner.scores.size)
        halved = [(what, prior / 2) for what, prior in trees]
        return [*halved, ("scoring rules", least)]

    def _what(self, learner: Any) -> str:
        if not isinstance(learner, TreeOrScoreLearner):
            return super()._what(learner)
        return f"{learner.trees.describe()}, and {learner.scores.describe()}"

    def export_text(self) -> str:
        """The rule as text."""
        return super().export_text() if hasattr(self.rule_, "root") else self.describe()


def _wants_scores(schema: Schema) -> bool:
    ordered = [field for field in schema.fields if field.ordered]
    fits = all(field.cells <= 32 for field in ordered)
    return bool(ordered) and fits and Trees.too_wide_for_three(schema)
