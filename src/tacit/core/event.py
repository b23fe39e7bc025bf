"""What a release costs, as immutable data.

An event describes a mechanism's privacy; how costs add up is the accountant's
business (``tacit.accounting``). A meaning never changes: a new meaning is a new
class. Accountants refuse an event they do not know.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from tacit.core.errors import BadInput
from tacit.core.numbers import positive, probability, show_rounded_up
from tacit.core.records import Stored, check_depth
from tacit.core.relation import Relation


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """A privacy cost under one relation. Use one of the subclasses.

    ``describe`` rounds up to six digits; the fields and ``to_dict`` are exact. ``parts`` are the
    atomic events of a composed one, nested compositions opened; an atomic one has none.
    """

    relation: Relation
    parts: tuple[Event, ...] = field(default=(), init=False, repr=False, compare=False)

    def describe(self) -> str:
        """One line for people, free of data."""
        raise TypeError("Event is abstract; use Pure, Selection, Approximate, ZCDP or Composed")

    def to_dict(self) -> dict[str, object]:
        """A JSON-ready description that ``event_from_dict`` reads back."""
        fields = {name: str(getattr(self, name)) for name in self.__slots__}
        return {"kind": type(self).__name__, "relation": self.relation.value, **fields}


@dataclass(frozen=True, slots=True, kw_only=True)
class Pure(Event):
    """For all neighbours and outputs, ``P(o) <= exp(epsilon) P'(o)``."""

    epsilon: Fraction

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", positive(self.epsilon, name="epsilon"))

    def describe(self) -> str:
        return f"epsilon = {show_rounded_up(self.epsilon)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection(Event):
    """``epsilon``-bounded range: ``ln P(o)/P'(o)`` lies in an interval of that length.

    It implies ``epsilon``-DP and ``epsilon**2 / 8``-zCDP (theory: bounded range of
    the exponential mechanism; ``accounting/composition.proof.md``).
    """

    epsilon: Fraction

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", positive(self.epsilon, name="epsilon"))

    def describe(self) -> str:
        return f"epsilon = {show_rounded_up(self.epsilon)} (one selection)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Approximate(Event):
    """For all neighbours and sets, ``P(O) <= exp(epsilon) P'(O) + delta``."""

    epsilon: Fraction
    delta: Fraction

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", positive(self.epsilon, name="epsilon"))
        object.__setattr__(self, "delta", probability(self.delta, name="delta"))

    def describe(self) -> str:
        return f"epsilon = {show_rounded_up(self.epsilon)}, delta = {show_rounded_up(self.delta)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ZCDP(Event):
    """Every Renyi divergence of order ``a > 1`` is at most ``a * rho``."""

    rho: Fraction

    def __post_init__(self) -> None:
        object.__setattr__(self, "rho", positive(self.rho, name="rho"))

    def describe(self) -> str:
        return f"rho = {show_rounded_up(self.rho)} (zCDP)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Composed(Event):
    """Several events, each chosen with knowledge of the earlier outputs."""

    events: tuple[Event, ...]

    def __post_init__(self) -> None:
        events = tuple(self.events)
        if not events or any(event.relation is not self.relation for event in events):
            raise BadInput("a composed event needs parts, all under its own relation")
        object.__setattr__(self, "events", events)
        parts = tuple(part for event in events for part in leaves(event))
        object.__setattr__(self, "parts", parts)

    def describe(self) -> str:
        parts = " + ".join(event.describe() for event in self.events)
        together = pure_epsilon(self)
        if together is None or len(self.parts) == 1:
            return parts
        return f"epsilon = {show_rounded_up(together)} in all ({parts})"

    def to_dict(self) -> dict[str, object]:
        parts = [event.to_dict() for event in self.events]
        return {"kind": "Composed", "relation": self.relation.value, "events": parts}


def leaves(event: Event) -> tuple[Event, ...]:
    """The atomic events that ``event`` is made of."""
    return event.parts or (event,)


def pure_epsilon(event: Event) -> Fraction | None:
    """The sum of all parts' epsilons, where every part has one and no delta."""
    costs = [one.epsilon for one in leaves(event) if isinstance(one, (Pure, Selection))]
    return sum(costs, Fraction(0)) if len(costs) == len(leaves(event)) else None


def privacy_event(*, epsilon: Fraction, delta: Fraction, relation: Relation) -> Event:
    """The event of a mechanism known only to be ``(epsilon, delta)``-DP."""
    if delta == 0:
        return Pure(epsilon=epsilon, relation=relation)
    return Approximate(epsilon=epsilon, delta=delta, relation=relation)


_KINDS: dict[str, type[Event]] = {
    kind.__name__: kind for kind in (Pure, Selection, Approximate, ZCDP, Composed)
}


def event_from_dict(record: dict[str, object]) -> Event:
    """Read back what ``Event.to_dict`` wrote; an unknown kind or a damaged record is refused."""
    check_depth(record)
    return _event(record)


def _event(record: Stored) -> Event:
    kind = _KINDS.get(str(record.get("kind")))
    if kind is None:
        raise BadInput("this ledger entry has an event kind that this version does not know")
    fields = {key: value for key, value in record.items() if key not in ("kind", "relation")}
    try:
        if kind is Composed:
            fields["events"] = tuple(_event(part) for part in record["events"])
        return kind(relation=Relation.read(record["relation"]), **fields)
    except (KeyError, TypeError, AttributeError):
        raise BadInput(f"this ledger entry of kind {kind.__name__!r} is damaged") from None
