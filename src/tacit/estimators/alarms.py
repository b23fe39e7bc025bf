"""Readable private rules that may raise only so many alarms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from tacit.accounting import Ledger
from tacit.core import ConceptClass, Relation, Sampler
from tacit.core.numbers import Number, exact
from tacit.domains.schema import Schema
from tacit.estimators.table_base import RuleClassifier
from tacit.problems.tables.alarms import AlarmRules


class AlarmClassifier(RuleClassifier):
    """Learn a rule of up to two conditions that finds positive records within a budget of alarms.

    An alarm is a record that the rule calls positive. One selection by permute-and-flip, by the
    positive records that a rule misses and its alarms beyond the budget; the budget is no hard
    limit. The certificate states both numbers, with noise, and bounds them for new records.

    Parameters are those of ``BoxClassifier``, and

    Parameters
    ----------
    alarms : number
        The part of the records that may be called positive: ``"5%"``, ``0.05``.
    columns : int
        At most this many conditions, 1 to 3, each on another column.

    """

    _model: ClassVar[str] = "alarms"

    def __init__(
        self,
        *,
        domain: Any = None,
        bins: int = 16,
        classes: Sequence[object] = (0, 1),
        other: str = "negative",
        unit: str | None = None,
        rows_per_unit: int = 1,
        alarms: Number = "5%",
        columns: int = 2,
        epsilon: Number = 1,
        delta: Number = 0,
        alpha: Number = 0.1,
        beta: Number = 0.05,
        error_share: Number | None = "auto",
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
            relation=relation,
            public_columns=public_columns,
            ledger=ledger,
            rng=rng,
        )
        self.alarms = alarms
        self.columns = columns

    def _family(self, schema: Schema) -> ConceptClass:
        return AlarmRules(schema, alarms=exact(self.alarms, name="alarms"), columns=self.columns)
