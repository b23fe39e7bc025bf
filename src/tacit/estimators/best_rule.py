"""The default for a table: a readable rule of the kind that its public shape calls for."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import log
from typing import Any

from sklearn.utils.validation import check_is_fitted

from tacit.core import Relation
from tacit.domains.fields import Number
from tacit.domains.schema import Schema
from tacit.estimators.table_base import USUAL_CELLS
from tacit.estimators.tree import TreeClassifier
from tacit.mechanisms.calibration import spread
from tacit.mechanisms.private_grid import PrivateGrid
from tacit.problems.finite.finite_class import FiniteClassLearner
from tacit.problems.tables.deep_tree_learner import DeepTreeLearner
from tacit.problems.tables.gridded_trees import GriddedTreeLearner, on_fine_grid
from tacit.problems.tables.scores import Scores
from tacit.problems.tables.short_lists import FewCuts, Totals
from tacit.problems.tables.tree_or_score import TreeOrScoreLearner
from tacit.problems.tables.trees import Trees

_FINE = 32
# How much rate times records each nat of ln 1/prior must be paid with before a class is searched.
_FOR_TREES, _FOR_SCORES, _FOR_QUESTIONS = 13, 6, 4


class BestRuleClassifier(TreeClassifier):
    """A tree; where the columns are too many for three levels, a tree or a scoring rule.

    One exact draw from both classes at once, so the records decide which kind it is and
    nothing extra is paid. A scoring rule adds up small points for the levels of two columns
    (three if there are thousands of records). Where four levels fit and there are records enough, a
    tenth of the budget first cuts numeric columns anew, finely where the records are
    (``tacit.mechanisms.private_grid``). Where public numbers say that ``n * epsilon`` is
    too small to search a rich class, the rule comes from a short list instead, by
    permute-and-flip: one coarse question, or the total of all columns
    (``tacit.problems.tables.short_lists``).

    Parameters are those of ``TreeClassifier``, but ``bins="auto"`` is 32 where the columns are so
    many that scoring rules, which use fine levels well, are drawn too.
    """

    def _grid(self, read: Callable[[int], Schema]) -> Schema:
        usual = super()._grid(read)
        fine = self.bins == "auto" and Trees.too_wide_for_three(usual)
        return read(_FINE) if fine else usual

    def _learner(
        self, schema: Schema, *, epsilon: Fraction, relation: Relation, n: int | None
    ) -> Any:
        rich: Any = super()._learner(schema, epsilon=epsilon, relation=relation, n=n)
        if _wants_scores(schema):
            scores = Scores.fitting(schema, n)
            rich = TreeOrScoreLearner(
                trees=rich.trees, scores=scores, epsilon=epsilon, relation=relation
            )
        if n is None or self.depth != "auto":
            return rich
        pays = n * epsilon / spread(relation)
        if pays >= _price(rich, schema):
            return self._on_own_grid(rich, schema, n)
        return FiniteClassLearner(
            concept_class=_short_list(schema, pays),
            epsilon=epsilon,
            relation=relation,
            selector="permute-and-flip",
        )

    def _on_own_grid(self, learner: Any, schema: Schema, n: int) -> Any:
        """Four levels on a private grid, if noise of a tenth of the budget lets cells be seen."""
        columns = tuple(
            place
            for place, field in enumerate(schema.fields)
            if isinstance(field, Number) and field.edges is None and field.bins == USUAL_CELLS
        )
        replaced = learner.event().relation is Relation.REPLACE_ONE
        four = isinstance(learner, DeepTreeLearner)
        if not (columns and four and replaced and self.bins == "auto"):
            return learner
        grid = PrivateGrid(schema=schema, columns=columns, epsilon=learner.epsilon / 10)
        if n < 4 * USUAL_CELLS * grid.scale:
            return learner
        return GriddedTreeLearner(grid=grid, epsilon=learner.epsilon - grid.epsilon)

    def _prior(self, learner: Any, rule: Any) -> Fraction:
        if isinstance(learner, GriddedTreeLearner):
            fine = learner.grid.fine_schema
            return super()._prior(learner.drawer(fine), on_fine_grid(rule, fine))
        if isinstance(learner, FiniteClassLearner):
            return Fraction(1, learner.concept_class.size)
        if not isinstance(learner, TreeOrScoreLearner):
            return super()._prior(learner, rule)
        if hasattr(rule, "root"):
            return super()._prior(learner, rule) / 2
        scores = learner.scores
        return Fraction(scores.factors[len(rule.columns) - 1], 2 * scores.size)

    def _sizes(self, learner: Any) -> list[tuple[str, Fraction]]:
        if isinstance(learner, GriddedTreeLearner):
            return []  # the class is not fixed before the records
        if isinstance(learner, FiniteClassLearner):
            listed = learner.concept_class
            return [(f"rules of the short list ({listed.name})", Fraction(1, listed.size))]
        trees = super()._sizes(learner)
        if not isinstance(learner, TreeOrScoreLearner):
            return trees
        least = Fraction(min(filter(None, learner.scores.factors)), 2 * learner.scores.size)
        halved = [(what, prior / 2) for what, prior in trees]
        return [*halved, ("scoring rules", least)]

    def _what(self, learner: Any) -> str:
        if isinstance(learner, GriddedTreeLearner):
            trees = super()._what(learner.drawer(learner.grid.schema))
            return f"{trees}, on a grid that was read off noisy counts first"
        if isinstance(learner, FiniteClassLearner):
            text: str = learner.concept_class.describe()
            return text
        if not isinstance(learner, TreeOrScoreLearner):
            return super()._what(learner)
        return f"{learner.trees.describe()}, and {learner.scores.describe()}"

    def export_text(self) -> str:
        """The rule as text."""
        return super().export_text() if self._is_tree() else self.describe()

    def to_svg(self) -> str:
        """The tree, or the scoring rule's card, as a drawing."""
        if self._is_tree():
            return super().to_svg()
        from tacit.report.score_svg import score_svg

        return score_svg(self.rule_, labels=self._label_words())

    def get_depth(self) -> int:
        """How many levels the released rule asks; a scoring rule asks one question."""
        return super().get_depth() if self._is_tree() else 1

    def get_n_leaves(self) -> int:
        """How many leaves the released rule has; a scoring rule has two."""
        return super().get_n_leaves() if self._is_tree() else 2

    def _is_tree(self) -> bool:
        check_is_fitted(self)
        return hasattr(self.rule_, "root")


def _wants_scores(schema: Schema) -> bool:
    ordered = [field for field in schema.fields if field.ordered]
    fits = all(field.cells <= _FINE for field in ordered)
    return bool(ordered) and fits and Trees.too_wide_for_three(schema)


def _price(learner: Any, schema: Schema) -> float:
    """What ``pays`` must reach before the rich class is worth it.

    In a table of few columns one question is hard to beat, so a tree of two levels must be
    cheap; in a wide one a scoring rule of two columns gains much.
    """
    if isinstance(learner, TreeOrScoreLearner):
        return _FOR_SCORES * log(2 * learner.scores.size / max(learner.scores.factors))
    return -_FOR_TREES * log(Trees(schema, 2).least_prior())


def _short_list(schema: Schema, pays: Fraction) -> FewCuts | Totals:
    """One question, if ``pays`` (rate times records) can tell that many apart; else totals."""
    few = FewCuts(schema)
    ordered = any(field.ordered for field in schema.fields)
    return Totals(schema) if ordered and pays < _FOR_QUESTIONS * log(few.size) else few
