"""Points for the cells of every column, added up: a score card over the whole table."""

from __future__ import annotations

from tacit.core import ConceptClass
from tacit.domains.schema import Schema
from tacit.estimators.odds import OddsClassifier
from tacit.problems.tables.additive_rules import AdditivePoints


class AdditiveClassifier(OddsClassifier):
    """Learn points for every cell of every column, one noisy step a column, and add them up.

    Where many columns say a little each, as of customers or loans, this is better than one tree,
    for ranking and for balanced answers above all: ``decision_function``, ``predict_proba``,
    ``ranking`` and ``predict_balanced`` cost nothing beside the rule. It says nothing about columns
    together. Every column's step costs its part of epsilon: ``d`` columns put noise of about
    ``2 sqrt(2) d/epsilon`` records on a cell's sum (a replaced record, no delta), where the labels
    of ``n/m`` records scatter by ``sqrt(n/4m)``. Ask for it where the first is not above the second
    for one cell at least, ``epsilon >= 6 d/sqrt(n)``: 14 columns of 36,000 records at 0.5, or of
    3,500 at 1.5 (``tacit.problems.tables.additive_learner.paid_cells``). Below that, and where most
    columns say nothing, ``BestRuleClassifier`` is the better choice, or a schema of fewer columns.

    Parameters
    ----------
    domain : Schema, dict, list, (low, high) or path
        The public columns, as for ``TreeClassifier``.
    bins : int or "auto"
        Cells of every numeric column that declares none; ``"auto"`` is 16.
    classes : (negative, positive)
        The two public labels; anything else counts as negative, or as ``other`` says.
    epsilon, delta, relation, alpha, beta, error_share, other, unit, rows_per_unit, ledger, rng
        As for ``TreeClassifier``. With a ``delta`` above 0 columns are added up by zCDP where that
        leaves less noise than pure epsilon, which is so for many columns.

    Attributes
    ----------
    rule_, release_, certificate_, classes_
        The released score card, the release, its certificate, and ``classes``.

    """

    def _family(self, schema: Schema) -> ConceptClass:
        return AdditivePoints(schema)
