"""The limit of a ledger, and when it lets an event in."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tacit.accounting.composition import Sums
from tacit.accounting.renyi import order_for_budget
from tacit.core import BadInput, Relation
from tacit.core.numbers import exact, positive, probability, show
from tacit.core.records import Stored
from tacit.core.task_fields import RECORD


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """A limit in public numbers; ``epsilon=None`` is no limit.

    ``data_set`` names the records that it protects, and ``unit`` who is protected: one
    ``record``, or what one person's records are told by.
    ``order`` is the one Renyi order by which charges are admitted. It is fixed with
    the budget, because the promise must also hold when costs are chosen after seeing
    outputs (``composition.proof.md``, *The promise of a limit*).
    """

    epsilon: Fraction | None
    delta: Fraction
    relation: Relation | None
    order: Fraction | None
    data_set: str = ""
    unit: str = RECORD

    def used(self, sums: Sums) -> Fraction | None:
        """How much of epsilon these sums use up; ``None`` if they fit no budget of this delta."""
        routes = (sums.basic(delta=self.delta), sums.zcdp(delta=self.delta, order=self.order))
        return min((route for route in routes if route is not None), default=None)

    def allows(self, sums: Sums) -> bool:
        """Whether these sums stay within the limit."""
        if self.epsilon is None:
            return True
        used = self.used(sums)
        return used is not None and used <= self.epsilon

    def describe(self) -> str:
        """``epsilon 1, delta 1e-06, replace-one``."""
        parts = ["no limit" if self.epsilon is None else f"epsilon {show(self.epsilon)}"]
        if self.delta:
            parts.append(f"delta {show(self.delta)}")
        if self.relation is not None:
            parts.append(self.relation.value)
        if self.unit != RECORD:
            parts.append(f"per {self.unit}")
        return ", ".join(parts)

    def to_dict(self) -> dict[str, str | None]:
        """A JSON-ready form that ``budget_from_dict`` reads back."""
        return {
            "epsilon": None if self.epsilon is None else str(self.epsilon),
            "delta": str(self.delta),
            "relation": None if self.relation is None else self.relation.value,
            "order": None if self.order is None else str(self.order),
            "data_set": self.data_set,
            "unit": self.unit,
        }


def read_budget(
    *,
    epsilon: object,
    delta: object,
    relation: Relation | str | None,
    data_set: str = "",
    unit: str = RECORD,
) -> Budget:
    """Read what a user passed."""
    for name, text in (("data_set", data_set), ("unit", unit)):
        if not isinstance(text, str) or len(text) > 1000:
            raise BadInput(f"{name} must be words, such as 'admissions 2025'")
    limit = None if epsilon is None else positive(epsilon, name="epsilon")
    slack = Fraction(0) if delta is None else probability(delta, name="delta", zero="allowed")
    return Budget(
        epsilon=limit,
        delta=slack,
        relation=None if relation is None else Relation.read(relation),
        order=order_for_budget(epsilon=limit, delta=slack) if limit and slack else None,
        data_set=data_set,
        unit=unit or RECORD,
    )


def budget_from_dict(record: Stored) -> Budget:
    """Read back what ``Budget.to_dict`` wrote; the order is kept, not chosen anew."""
    budget = read_budget(
        epsilon=record["epsilon"],
        delta=record["delta"],
        relation=None,
        data_set=record["data_set"],
        unit=record["unit"],
    )
    order, relation = record["order"], record["relation"]
    return Budget(
        epsilon=budget.epsilon,
        delta=budget.delta,
        relation=None if relation is None else Relation.read(relation),
        order=None if order is None else exact(order, name="order"),
        data_set=budget.data_set,
        unit=budget.unit,
    )
