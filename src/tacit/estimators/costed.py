"""What classifiers share that draw one rule by what its mistakes cost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tacit.accounting import Ledger
from tacit.core import BadInput, Relation, Sampler, Task
from tacit.core.numbers import Number
from tacit.core.task_fields import Costs
from tacit.domains.schema import Schema
from tacit.estimators.table_base import RuleClassifier
from tacit.problems.tables.cost_rules import COSTS


class CostedClassifier(RuleClassifier):
    """A private classifier over a table whose mistakes may cost more on one label than on another.

    Its class is one of those that the algorithm ``costs`` is made for
    (``tacit.problems.tables.cost_rules``).
    """

    def __init__(
        self,
        *,
        domain: Any = None,
        bins: Any = 16,
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
        self.costs = costs

    @property
    def _costs(self) -> Costs:
        costs: Costs = self.costs
        return costs

    def _task(self, schema: Schema, alpha: Number | None = None) -> Task:
        task = super()._task(schema, alpha)
        why = None if task.costs is None else COSTS.why_not(task)
        if why is not None:
            raise BadInput(
                "costs= is for labels none of whose records is ignored, and for a rule that comes "
                "from one draw: use fewer levels or clauses, or leave costs out (the algorithm for "
                f"costs {why})"
            )
        return task
