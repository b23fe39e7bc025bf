"""The default for a table: one draw over all kinds of readable rules that could pay."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from sklearn.utils.validation import check_is_fitted

from tacit.core import BadInput, ConceptClass
from tacit.domains.schema import Schema
from tacit.estimators.tree import TreeClassifier
from tacit.problems.tables.best_rules import BestRules
from tacit.problems.tables.boosted_rules import BoostedRule, leaves_of_card, levels_of_card
from tacit.problems.tables.trees import TreeRule, Trees

_CELLS = (64, 32)
"""As many cells as three levels can be weighed on; each has all cuts of the coarser ones."""
_WIDE = 32
"""As many as scoring rules have levels, where three levels cannot be weighed at all."""


class BestRuleClassifier(TreeClassifier):
    """Learn a tree or a scoring rule, from one exact draw over all kinds that could pay.

    Kinds are trees of two, three and four levels, scoring rules that add up small points for the
    levels of two or three columns, one coarse question, the total of all columns, and a constant
    label. All are drawn from at once, so the records decide which kind it is and nothing extra is
    paid. Left out is only what public numbers say could pay on no table, and what cannot be weighed
    within seconds (``tacit.problems.tables.kinds``); no number in it was set on a table. Where
    short lists alone are left, they are drawn from by permute-and-flip. Where public numbers say
    that there are records enough for five trees or more, small trees are added up beside the draw,
    and a last draw takes the rule with fewer mistakes (``tacit.problems.tables.boosted_or_drawn``);
    with a ``delta`` above 0 that needs several times fewer records.

    Parameters are those of ``TreeClassifier``, but ``bins="auto"`` is 64, 32 or 16: as many as
    trees of three levels can be weighed on, and 32 where the columns are too many for that.
    """

    _model: ClassVar[str] = "rule"

    def _grid(self, read: Callable[[int], Schema]) -> Schema:
        usual = super()._grid(read)
        if self.bins != "auto" or self._values() is not None:
            return usual
        if Trees.too_wide_for_three(usual):
            return read(_WIDE)
        finer = (grid for grid in map(read, _CELLS) if not Trees.too_wide_for_three(grid))
        return next(finer, usual)

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
