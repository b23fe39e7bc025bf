"""Readable private trees: one exact draw over all of them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, ClassVar

from sklearn.utils.validation import check_is_fitted

from tacit.accounting import Ledger
from tacit.core import BadInput, Relation, Sampler
from tacit.core.numbers import counted, whole
from tacit.domains.schema import Schema
from tacit.estimators.table_base import RuleClassifier
from tacit.problems.tables.deep_tree_learner import DeepTreeLearner
from tacit.problems.tables.deep_trees import FOUR, DeepTrees
from tacit.problems.tables.grown_trees import GrownTreeLearner
from tacit.problems.tables.tree_learner import TreeLearner
from tacit.problems.tables.trees import DEEPEST, RuleLists, TreeRule, Trees, simpler, splits

_LEVELS = (
    "a constant label",
    "trees of one cut",
    "trees of two levels",
    "trees of three levels",
    "trees of four levels",
)


class TreeClassifier(RuleClassifier):
    """A decision tree, drawn from all trees at once with pure differential privacy.

    Parameters
    ----------
    domain : Schema, dict, list, (low, high) or path
        The public columns: ``tacit.domains.Schema`` or what ``Schema.of`` reads; one
        ``(low, high)`` pair stands for every column. Under label privacy it may be left
        out: the features are then public and set the grid.
    bins : "auto" or int
        Cells of every numeric column that declares none; ``"auto"`` is 16.
    classes : (negative, positive)
        The two public labels; anything else counts as negative.
    depth : "auto" or int
        At most this many levels; ``"auto"`` is 4 or 3 where the cells are few and the public
        number of records is large against what so many levels can fit, else 2. Trees of
        four levels share one draw with those of three. With 5 or 6 (4, where there are too
        many cells to weigh four levels) the leaves are grown by a second draw, if ``epsilon``
        pays for a rate above 1; there is then no bound beforehand.
    epsilon, delta, relation, beta
        Privacy, and the failure probability of the certificate. The draw is pure, so any
        ``delta`` is met.
    error_share : number or "auto"
        The part of ``epsilon`` spent on counting the rule's mistakes for the certificate. The
        default follows from the number of records and ``epsilon``: from a twentieth to three
        twentieths (``tacit.bounds.upper.noisy_count.count_share``).
    ledger, rng
        Where the cost is recorded, and the source of randomness.

    Attributes
    ----------
    rule_, release_, certificate_, classes_
        The released tree, the release, its certificate, and ``classes``.

    """

    def __init__(
        self,
        *,
        domain: Any = None,
        bins: Any = "auto",
        classes: Any = (0, 1),
        depth: Any = "auto",
        epsilon: Any = 1,
        delta: Any = 0,
        beta: Any = 0.05,
        error_share: Any = "auto",
        relation: Any = "replace-one",
        ledger: Ledger | None = None,
        rng: Sampler | None = None,
    ) -> None:
        super().__init__(
            domain=domain,
            bins=bins,
            classes=classes,
            epsilon=epsilon,
            delta=delta,
            beta=beta,
            error_share=error_share,
            relation=relation,
            ledger=ledger,
            rng=rng,
        )
        self.depth = depth

    _class: ClassVar[type[Trees]] = Trees

    def _depth(self, schema: Schema, n: int | None) -> int:
        if self.depth != "auto":
            return whole(self.depth, name="depth", least=0)
        fitting = Trees.fitting_depth(schema, n)
        four = self._class is Trees and fitting == DEEPEST and DeepTrees.can_be_carried(schema, n)
        return FOUR if four else fitting

    def _learner(
        self, schema: Schema, *, epsilon: Fraction, relation: Relation, n: int | None
    ) -> TreeLearner | DeepTreeLearner | GrownTreeLearner:
        depth = self._depth(schema, n)
        if depth > DEEPEST and self._class is Trees and not Trees.too_wide_for_three(schema):
            four = DeepTrees.can_be_weighed(schema, n)
            grown = GrownTreeLearner(
                schema=schema, depth=depth, epsilon=epsilon, relation=relation, four_levels=four
            )
            if grown.budgets[1]:
                return grown
            # One draw can use it all, and about one draw something can be said beforehand.
            if four:
                return DeepTreeLearner(schema=schema, epsilon=epsilon, relation=relation)
            depth = DEEPEST
        trees = self._class(schema, depth)
        if trees.depth > 1 and sum(schema.cells) > _MOST_CELLS:
            raise BadInput(
                f"the schema has more than {_MOST_CELLS} cells, too many to count in pairs: "
                "use fewer bins, or depth=1"
            )
        return TreeLearner(trees=trees, epsilon=epsilon, relation=relation)

    def _family(self, schema: Schema) -> Trees:
        return self._class(schema, min(self._depth(schema, None), DEEPEST))

    def _prior(self, learner: Any, rule: TreeRule) -> Fraction:
        if isinstance(learner, GrownTreeLearner):
            return learner.least_prior
        # The bound holds for all trees at once, so for the simplified twin of this one too.
        roots = (rule.root, simpler(rule.root))
        return max(
            part * trees.prior(trees.number(root))
            for trees, part in _classes(learner)
            for root in roots
            if _levels(root) <= trees.depth
        )

    def _sizes(self, learner: Any) -> list[tuple[str, Fraction]]:
        if isinstance(learner, GrownTreeLearner):
            return []  # a tree grown in two draws follows no single law
        classes = _classes(learner)
        return [
            (
                _LEVELS[levels],
                max(part * t.least_prior(levels) for t, part in classes if t.depth >= levels),
            )
            for levels in range(classes[-1][0].depth + 1)
        ]

    def _what(self, learner: Any) -> str:
        if isinstance(learner, GrownTreeLearner):
            return f"{learner.stages[0].describe()}, its leaves grown to {learner.depth} levels"
        return _classes(learner)[-1][0].describe()

    def export_text(self) -> str:
        """The tree as indented text."""
        check_is_fitted(self)
        from tacit.report.tree_text import tree_text

        return tree_text(self.rule_, labels=self._label_words())

    def to_svg(self) -> str:
        """The tree as a drawing."""
        check_is_fitted(self)
        from tacit.report.tree_svg import tree_svg

        return tree_svg(self.rule_, labels=self._label_words())

    def get_depth(self) -> int:
        """How many levels the released tree asks."""
        check_is_fitted(self)
        return _levels(self.rule_.root)

    def get_n_leaves(self) -> int:
        """How many leaves the released tree has."""
        check_is_fitted(self)
        return splits(self.rule_.root) + 1


_MOST_CELLS = 6000


def _classes(learner: Any) -> tuple[tuple[Trees, Fraction], ...]:
    """What a learner draws from in one draw: classes, the deepest last, and their parts."""
    if isinstance(learner, DeepTreeLearner):
        return learner.classes
    return ((learner.trees, Fraction(1)),)


def _levels(node: Any) -> int:
    return 0 if isinstance(node, bool) else 1 + max(_levels(node[1]), _levels(node[2]))


class RuleListClassifier(TreeClassifier):
    """``if q1: a, else if q2: b, else: c``; parameters as ``TreeClassifier``."""

    _class = RuleLists

    def _sizes(self, learner: Any) -> list[tuple[str, Fraction]]:
        return [
            (
                f"rule lists of at most {counted(levels, 'question')}",
                learner.trees.least_prior(levels),
            )
            for levels in range(1, learner.trees.depth + 1)
        ]


class StumpClassifier(TreeClassifier):
    """One question about one column: trees of at most one level."""

    def __init__(
        self,
        *,
        domain: Any = None,
        bins: int = 64,
        classes: Any = (0, 1),
        epsilon: Any = 1,
        delta: Any = 0,
        beta: Any = 0.05,
        error_share: Any = "auto",
        relation: Any = "replace-one",
        ledger: Ledger | None = None,
        rng: Sampler | None = None,
    ) -> None:
        super().__init__(
            domain=domain,
            bins=bins,
            classes=classes,
            depth=1,
            epsilon=epsilon,
            delta=delta,
            beta=beta,
            error_share=error_share,
            relation=relation,
            ledger=ledger,
            rng=rng,
        )
