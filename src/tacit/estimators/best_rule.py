"""The default for a table: a readable rule of the kind that its public shape calls for."""

from __future__ import annotations

from collections.abc import Callable

from sklearn.utils.validation import check_is_fitted

from tacit.core import BadInput, ConceptClass
from tacit.domains.schema import Schema
from tacit.estimators.tree import TreeClassifier
from tacit.problems.tables.best_rules import BestRules
from tacit.problems.tables.boosted_rules import BoostedRule, leaves_of_card, levels_of_card
from tacit.problems.tables.trees import TreeRule, Trees

_FINE = 32


class BestRuleClassifier(TreeClassifier):
    """A tree; where the columns are too many for three levels, a tree or a scoring rule.

    One exact draw from both classes at once, so the records decide which kind it is and
    nothing extra is paid. A scoring rule adds up small points for the levels of two columns
    (three if there are thousands of records). Where four levels fit and there are records enough, a
    tenth of the budget first cuts numeric columns anew, finely where the records are
    (``tacit.mechanisms.private_grid``). Where public numbers say that ``n * epsilon`` is
    too small to search a rich class, the rule comes from a short list instead, by
    permute-and-flip: one coarse question, or the total of all columns
    (``tacit.problems.tables.short_lists``). Where they say that there are records enough for
    five trees or more, small trees are added up beside the draw, and a last draw takes the rule
    with fewer mistakes (``tacit.problems.tables.boosted_or_drawn``); with a ``delta`` above 0 that
    needs several times fewer records.

    Parameters are those of ``TreeClassifier``, but ``bins="auto"`` is 32 where the columns are so
    many that scoring rules, which use fine levels well, are drawn too.
    """

    def _grid(self, read: Callable[[int], Schema]) -> Schema:
        usual = super()._grid(read)
        # Of more than two labels trees are drawn alone, which use fine levels less well.
        fine = self.bins == "auto" and Trees.too_wide_for_three(usual) and self._values() is None
        return read(_FINE) if fine else usual

    def _family(self, schema: Schema) -> ConceptClass:
        if self.depth != "auto":
            return super()._family(schema)
        return BestRules(schema, own_grid=self.bins == "auto")

    def export_text(self) -> str:
        """The rule as text."""
        return super().export_text() if self._is_tree() else self.describe()

    def to_svg(self) -> str:
        """The tree, or the scoring rule's card, as a drawing."""
        if self._is_tree():
            return super().to_svg()
        if isinstance(self.rule_, BoostedRule):
            raise BadInput("a sum of trees has no drawing: describe() lists its points")
        from tacit.report.score_svg import score_svg

        return score_svg(self.rule_, labels=self._label_words())

    def get_depth(self) -> int:
        """How many levels the released rule asks; a scoring rule asks one question."""
        if isinstance(self._rule(), BoostedRule):
            return max((levels_of_card(card) for card in self.rule_.trees), default=0)
        return super().get_depth() if self._is_tree() else 1

    def get_n_leaves(self) -> int:
        """How many leaves the released rule has, all trees together; a scoring rule has two."""
        if isinstance(self._rule(), BoostedRule):
            return sum(leaves_of_card(card) for card in self.rule_.trees) or 1
        return super().get_n_leaves() if self._is_tree() else 2

    def _rule(self) -> object:
        check_is_fitted(self)
        return self.rule_

    def _is_tree(self) -> bool:
        return isinstance(self._rule(), TreeRule)
