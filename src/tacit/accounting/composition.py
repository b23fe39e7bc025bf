"""What a sequence of events costs in all: exact, or rounded up.

Two routes, both proved in ``composition.proof.md``:

``basic``  epsilons and deltas add, in exact rationals.
``zcdp``   Renyi divergences of one order add; what is left of delta turns their sum
           into an epsilon. Many small selections gain most (theory: eps^2/8-zCDP).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from tacit.accounting.cost import Cost, Kind, cost, weakest
from tacit.accounting.renyi import conversion, divergence, order_for_costs
from tacit.core import Event, Relation
from tacit.core.numbers import Number, probability, show, show_rounded_up

_ZERO = Fraction(0)
WORTH = Fraction(19, 20)
"""The zCDP route uses up all of delta. A total that is pure, or has delta to spare, is
kept unless that route saves a twentieth of epsilon."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Total:
    """All events together are ``(epsilon, delta)``-DP under ``relation``.

    ``epsilon`` is ``None`` when no finite one is known at this delta (zCDP events at
    delta 0); ``relation`` is ``None`` when nothing was charged. ``method`` is
    ``"basic"`` or ``"zcdp"``.
    """

    epsilon: Fraction | None
    delta: Fraction
    relation: Relation | None
    method: str

    def __str__(self) -> str:
        if self.relation is None:
            return "nothing"
        size = "unbounded" if self.epsilon is None else show_rounded_up(self.epsilon)
        delta = f", delta = {show_rounded_up(self.delta)}" if self.delta else ""
        return f"epsilon = {size}{delta} ({self.relation.value}, {self.method} composition)"

    def to_dict(self) -> dict[str, str | None]:
        """A JSON-ready form; numbers are exact strings."""
        return {
            "epsilon": None if self.epsilon is None else show(self.epsilon),
            "delta": show(self.delta),
            "relation": None if self.relation is None else self.relation.value,
            "method": self.method,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Sums:
    """Running sums over costs stated under one relation.

    ``epsilon`` leaves out zCDP steps, which are in ``rho``; ``renyi`` is the sum of
    the divergences of one fixed order, or 0 where no order is fixed.
    """

    epsilon: Fraction = _ZERO
    delta: Fraction = _ZERO
    rho: Fraction = _ZERO
    renyi: Fraction = _ZERO

    def plus(self, one: Cost, *, count: int = 1, order: Fraction | None = None) -> Sums:
        """These sums with ``count`` more steps of this cost."""
        zcdp = one.kind is Kind.ZCDP
        return Sums(
            epsilon=self.epsilon + (0 if zcdp else count * one.amount),
            delta=self.delta + count * one.delta,
            rho=self.rho + (count * one.amount if zcdp else 0),
            renyi=self.renyi + (0 if order is None else count * divergence(one, order=order)),
        )

    def basic(self, *, delta: Fraction) -> Fraction | None:
        """Epsilon by the basic route, if it is open at ``delta``."""
        return self.epsilon if self.rho == 0 and self.delta <= delta else None

    def zcdp(self, *, delta: Fraction, order: Fraction | None) -> Fraction | None:
        """Epsilon by the zCDP route at the order of these sums, if it is open at ``delta``."""
        if order is None or self.delta >= delta:
            return None
        left = delta - self.delta  # [C1] what approximate events left over
        return max(_ZERO, self.renyi + conversion(order=order, delta=left))


def total(events: Iterable[Event], *, delta: Number = 0, relation: Relation | None = None) -> Total:
    """The smallest total that is proved for these events, at most ``delta`` if possible.

    It holds if the costs were fixed beforehand; each mechanism may depend on all
    earlier outputs. ``relation`` defaults to the weakest one among the events.

    >>> from tacit.core import REPLACE_ONE, Pure
    >>> print(total([Pure(epsilon="1/2", relation=REPLACE_ONE)] * 2))
    epsilon = 1 (replace-one, basic composition)
    """
    counts: dict[Event, int] = {}
    for event in events:
        for leaf in event.parts or (event,):
            counts[leaf] = counts.get(leaf, 0) + 1
    return total_of_counts(
        counts, delta=probability(delta, name="delta", zero="allowed"), relation=relation
    )


def total_of_counts(
    counts: Mapping[Event, int],
    *,
    delta: Fraction,
    relation: Relation | None,
    budget: tuple[Fraction | None, Fraction | None] = (None, None),
) -> Total:
    """``total`` for atomic events given with their multiplicities.

    ``budget`` is a limit's epsilon and order: its order is tried beside the best one, and
    a basic total above its epsilon is not preferred, so an admitted total is within it.
    """
    stated = weakest(leaf.relation for leaf in counts) if relation is None else relation
    if stated is None or not counts:
        return Total(epsilon=_ZERO, delta=_ZERO, relation=stated, method="basic")
    limit, fixed = budget
    steps = [(cost(leaf, relation=stated), count) for leaf, count in counts.items()]
    plain = _add(steps, order=None)
    basic = plain.basic(delta=max(delta, plain.delta))
    tight = None
    if plain.delta < delta:
        orders = {fixed, order_for_costs(steps, delta=delta - plain.delta)} - {None}
        tries = (_add(steps, order=a).zcdp(delta=delta, order=a) for a in orders)
        tight = min(epsilon for epsilon in tries if epsilon is not None)
    if tight is not None and (
        basic is None or tight <= WORTH * basic or (limit is not None and tight <= limit < basic)
    ):
        return Total(epsilon=tight, delta=delta, relation=stated, method="zcdp")
    spent = min(plain.delta, Fraction(1))
    return Total(epsilon=basic, delta=spent, relation=stated, method="basic")


def _add(steps: Iterable[tuple[Cost, int]], *, order: Fraction | None) -> Sums:
    sums = Sums()
    for one, count in steps:
        sums = sums.plus(one, count=count, order=order)
    return sums
