"""Sums of small private trees, for long tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from tacit.accounting import Ledger
from tacit.core import ConceptClass, Relation, Sampler
from tacit.core.numbers import Number
from tacit.domains.schema import Schema
from tacit.estimators.odds import OddsClassifier
from tacit.problems.tables.boosted_rules import BoostedTrees

_CELLS = 64  # what bins="auto" means: sums of trees use fine cells well


class BoostedTreesClassifier(OddsClassifier):
    """Learn a sum of the points of several small trees, each drawn after those before it.

    The classifier to rank records with: points tell many records apart, where a tree has a few
    leaves, and cost nothing beside the rule. A twentieth of the budget counts the records of both
    labels, so that a rare one weighs as much as the other from the first tree on.
    For answers that are right most often ``BestRuleClassifier`` adds up trees by itself where
    public numbers pay for it, and releases one tree where that errs less.

    Parameters
    ----------
    domain : Schema, dict, list, (low, high) or path
        The public columns, as for ``TreeClassifier``.
    bins : "auto" or int
        Cells of every numeric column that declares none; ``"auto"`` is 64.
    classes : (negative, positive)
        The two public labels; anything else counts as negative.
    rounds : "auto" or int
        How many trees; ``"auto"`` is what the number of records and ``epsilon`` pay for, at
        least one and at most 32 (``tacit.problems.tables.boosted_learner.fitting_rounds``), and
        eight where that number is private.
    unit, rows_per_unit, epsilon, delta, relation, alpha, beta, error_share, ledger, rng
        As for ``TreeClassifier``. With ``delta`` 0 every round pays its part of ``epsilon``;
        above 0 rounds are added up by zCDP where that leaves more of them.

    Attributes
    ----------
    rule_, release_, certificate_, classes_
        The released score card, the release, its certificate, and ``classes``.

    """

    _model: ClassVar[str] = "boosted"

    def __init__(
        self,
        *,
        domain: Any = None,
        bins: Any = "auto",
        classes: Sequence[object] = (0, 1),
        unit: str | None = None,
        rows_per_unit: int = 1,
        rounds: Any = "auto",
        epsilon: Number = 1,
        delta: Any = "1e-6",
        alpha: Number = 0.1,
        beta: Number = 0.05,
        error_share: Number | None = "auto",
        relation: Relation | str = "replace-one",
        ledger: Ledger | None = None,
        rng: Sampler | None = None,
    ) -> None:
        super().__init__(
            domain=domain,
            bins=bins,
            classes=classes,
            unit=unit,
            rows_per_unit=rows_per_unit,
            epsilon=epsilon,
            delta=delta,
            alpha=alpha,
            beta=beta,
            error_share=error_share,
            relation=relation,
            ledger=ledger,
            rng=rng,
        )
        self.rounds = rounds

    def _grid(self, read: Callable[[int], Schema]) -> Schema:
        return read(_CELLS) if self.bins == "auto" else read(self.bins)

    def _family(self, schema: Schema) -> ConceptClass:
        return BoostedTrees(schema, rounds=0 if self.rounds == "auto" else self.rounds)
