"""Readable private trees: one exact draw over all of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from sklearn.utils.validation import check_is_fitted

from tacit.accounting import Ledger
from tacit.core import ConceptClass, Relation, Sampler
from tacit.core.numbers import Number, whole
from tacit.domains.schema import Schema
from tacit.estimators.costed import CostedClassifier
from tacit.problems.tables.fitting_trees import FittingTrees
from tacit.problems.tables.grown_trees import GrownTrees
from tacit.problems.tables.tree_nodes import splits
from tacit.problems.tables.tree_priors import levels_of
from tacit.problems.tables.trees import DEEPEST, RuleLists, Trees


class TreeClassifier(CostedClassifier):
    """Learn a decision tree, drawn from all trees at once with pure differential privacy.

    Parameters
    ----------
    domain : Schema, dict, list, (low, high) or path
        The public columns: ``tacit.domains.Schema`` or what ``Schema.of`` reads; one
        ``(low, high)`` pair stands for every column. Under label privacy it may be left
        out where ``public_columns`` says that the features may set the grid.
    bins : "auto" or int
        Cells of every numeric column that declares none; ``"auto"`` is 16.
    classes : (negative, positive), or more
        The public labels, two or more. Regression is out of scope: in a column of measurements
        every number but these counts as ``other`` says, which no error tells, since that would
        tell about records. Words are refused for a column whose type holds numbers.
    other : "negative", "ignore" or "class"
        What a record does whose label is none of them, or missing: it counts as the negative one
        (the first), or is left out; it stays in the number of records and is no mistake. Or it has
        a label of its own, called "other".
    unit, rows_per_unit : str, int
        The column that tells persons apart, where they have several rows: whole persons are
        protected then. The rule is drawn from one row of each and its mistakes are counted on
        one, however many are allowed. Ids are taken from that column of ``X``, or passed to
        ``fit`` as ``groups``.
    depth : "auto" or int
        At most this many levels; ``"auto"`` is 4 or 3 where the cells are few and so many
        levels could pay with the public number of records, else 2. Trees of
        four levels share one draw with those of three. With 5 or 6 (4, where there are too
        many cells to weigh four levels) the leaves are grown by a second draw, if ``epsilon``
        pays for a rate above 1; no plan then says the error in advance.
    epsilon, delta, relation, alpha, beta
        Privacy; and, for plans and certificates, how much more than the best rule may err, and
        with which probability of failure. The draw is pure, so any ``delta`` is met.
    public_columns : "all", or names
        Under label privacy without ``domain``: the columns whose every value is public, which
        must be all of them. Borders and categories are read off them and published; the
        certificate says so.
    error_share : number or "auto"
        The part of ``epsilon`` spent on counting the rule's mistakes for the certificate. The
        default follows from the number of records and ``epsilon``: from a twentieth to three
        twentieths (``tacit.bounds.upper.noisy_count.count_share``).
    costs : dict, "balanced" or None
        What a mistake on a record of each label costs, in whole numbers up to 100, such as
        ``{"yes": 20, "no": 1}``; 1 where none is given. ``"balanced"`` lets all labels count
        alike, however rare one is: a fifth of ``epsilon`` counts their records (a third, where
        there are more than two labels). The certificate is then about costs.
    ledger, rng
        Where the cost is recorded, and the source of randomness.

    Attributes
    ----------
    rule_, release_, certificate_, classes_
        The released tree, the release, its certificate, and ``classes`` (with "other", where
        that is a label).

    """

    def __init__(
        self,
        *,
        domain: Any = None,
        bins: Any = "auto",
        classes: Sequence[object] = (0, 1),
        other: str = "negative",
        unit: str | None = None,
        rows_per_unit: int = 1,
        depth: Any = "auto",
        epsilon: Number = 1,
        delta: Number = 0,
        alpha: Number = 0.1,
        beta: Number = 0.05,
        error_share: Number | None = "auto",
        costs: Any = None,
        relation: Relation | str = "replace-one",
        public_columns: Iterable[str] = (),
        ledger: Ledger | None = None,
        rng: Sampler | None = None,
    ) -> None:
        super().__init__(
            domain=domain,
            bins=bins,
            classes=classes,
            other=other,
            unit=unit,
            rows_per_unit=rows_per_unit,
            epsilon=epsilon,
            delta=delta,
            alpha=alpha,
            beta=beta,
            error_share=error_share,
            costs=costs,
            relation=relation,
            public_columns=public_columns,
            ledger=ledger,
            rng=rng,
        )
        self.depth = depth

    _class: ClassVar[type[Trees]] = Trees
    _many_classes: ClassVar[bool] = True

    def _family(self, schema: Schema) -> ConceptClass:
        lists = self._class is RuleLists
        if self.depth == "auto":
            return FittingTrees(schema, lists=lists)
        depth = whole(self.depth, name="depth", least=0)
        if depth > DEEPEST and not lists and not Trees.too_wide_for_three(schema):
            return GrownTrees(schema, depth=depth)
        return self._class(schema, depth=depth)

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
        return levels_of(self.rule_.root)

    def get_n_leaves(self) -> int:
        """How many leaves the released tree has."""
        check_is_fitted(self)
        return splits(self.rule_.root) + 1


class RuleListClassifier(TreeClassifier):
    """Learn ``if q1: a, else if q2: b, else: c``; parameters as ``TreeClassifier``."""

    _class = RuleLists


class StumpClassifier(TreeClassifier):
    """Learn one question about one column: a tree of at most one level."""

    def __init__(
        self,
        *,
        domain: Any = None,
        bins: int = 64,
        classes: Sequence[object] = (0, 1),
        other: str = "negative",
        unit: str | None = None,
        rows_per_unit: int = 1,
        epsilon: Number = 1,
        delta: Number = 0,
        alpha: Number = 0.1,
        beta: Number = 0.05,
        error_share: Number | None = "auto",
        costs: Any = None,
        relation: Relation | str = "replace-one",
        public_columns: Iterable[str] = (),
        ledger: Ledger | None = None,
        rng: Sampler | None = None,
    ) -> None:
        super().__init__(
            domain=domain,
            bins=bins,
            classes=classes,
            other=other,
            unit=unit,
            rows_per_unit=rows_per_unit,
            depth=1,
            epsilon=epsilon,
            delta=delta,
            alpha=alpha,
            beta=beta,
            error_share=error_share,
            costs=costs,
            relation=relation,
            public_columns=public_columns,
            ledger=ledger,
            rng=rng,
        )
