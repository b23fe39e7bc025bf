"""The limit of a ledger, and when it lets an event in."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tacit.accounting.composition import Sums
from tacit.accounting.renyi import order_for_budget
from tacit.core import Relation
from tacit.core.numbers import exact, positive, probability, show


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """A limit in public numbers; ``epsilon=None`` is no limit.

    ``order`` is the one Renyi order by which charges are admitted. It is fixed with
    the budget, because the promise must also hold when costs are chosen after seeing
    outputs (``composition.proof.md``, *The promise of a limit*).
    """

    epsilon: Fraction | None
    delta: Fraction
    relation: Relation | None
    order: Fraction | None

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
        return ", ".join(parts)

    def to_dict(self) -> dict[str, str | None]:
        """A JSON-ready form that ``budget_from_dict`` reads back."""
        return {
            "epsilon": None if self.epsilon is None else str(self.epsilon),
            "delta": str(self.delta),
            "relation": None if self.relation is None else self.relation.value,
            "order": None if self.order is None else str(self.order),
        }


def read_budget(*, epsilon: object, delta: object, relation: Relation | str | None) -> Budget:
    """Read what a user passed."""
    limit = None if epsilon is None else positive(epsilon, name="epsilon")
    slack = probability(0 if delta is None else delta, name="delta", zero="allowed")
    return Budget(
        epsilon=limit,
        delta=slack,
        relation=None if relation is None else Relation.read(relation),
        order=order_for_budget(epsilon=limit, delta=slack) if limit and slack else None,
    )


def budget_from_dict(record: dict[str, Any]) -> Budget:
    """Read back what ``Budget.to_dict`` wrote; the order is kept, not chosen anew."""
    budget = read_budget(epsilon=record["epsilon"], delta=record["delta"], relation=None)
    order, relation = record["order"], record["relation"]
    return Budget(
        epsilon=budget.epsilon,
        delta=budget.delta,
        relation=None if relation is None else Relation.read(relation),
        order=None if order is None else exact(order, name="order"),
    )
