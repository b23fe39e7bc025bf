"""What an event costs under the relation in which a total is stated.

Proved in ``composition.proof.md``, section *Relations*.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import lru_cache

from tacit.core import (
    ADD_REMOVE,
    LABEL,
    REPLACE_ONE,
    ZCDP,
    Approximate,
    BadInput,
    Event,
    Pure,
    Relation,
    Selection,
)
from tacit.exact.balls import above, ball

_ORDER = (ADD_REMOVE, REPLACE_ONE, LABEL)
"""From the strongest promise to the weakest; a later one follows from an earlier one."""

_NO_PROMISE = Fraction(1)  # a delta of 1 promises nothing; a larger one means no more


class Kind(Enum):
    """What is known about one step; the meanings are those of the core's events."""

    PURE = "pure"
    SELECTION = "selection"
    APPROXIMATE = "approximate"
    ZCDP = "zcdp"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """One step's promise: ``amount`` is epsilon, or rho for ``Kind.ZCDP``."""

    kind: Kind
    amount: Fraction
    delta: Fraction = Fraction(0)


def weakest(relations: Iterable[Relation]) -> Relation | None:
    """The strongest relation that all of these imply; ``None`` for no relations."""
    return max(relations, key=_ORDER.index, default=None)


def implies(known: Relation, wanted: Relation) -> bool:
    """Whether a promise under ``known`` gives one under ``wanted`` (perhaps a dearer one)."""
    return _ORDER.index(known) <= _ORDER.index(wanted)


@lru_cache(maxsize=4096)
def cost(leaf: Event, *, relation: Relation) -> Cost:
    """The cost of an atomic event, stated under ``relation``.

    A substitution is a removal and an addition, so an ``ADD_REMOVE`` event is paid
    twice over (group privacy) under the other relations.
    """
    if not implies(leaf.relation, relation):
        raise BadInput(f"an event under {leaf.relation.value} says nothing under {relation.value}")
    plain = _plain(leaf)
    if relation is ADD_REMOVE or leaf.relation is not ADD_REMOVE:
        return plain
    return _for_two(plain)


def _plain(leaf: Event) -> Cost:
    match leaf:
        case Pure():
            return Cost(kind=Kind.PURE, amount=leaf.epsilon)
        case Selection():
            return Cost(kind=Kind.SELECTION, amount=leaf.epsilon)
        case Approximate():
            return Cost(kind=Kind.APPROXIMATE, amount=leaf.epsilon, delta=leaf.delta)
        case ZCDP():
            return Cost(kind=Kind.ZCDP, amount=leaf.rho)
        case _:
            raise BadInput(f"the accountant does not know events of type {type(leaf).__name__}")


def _for_two(one: Cost) -> Cost:
    """Group privacy for two steps of the relation."""
    if one.kind is Kind.ZCDP:
        return Cost(kind=one.kind, amount=4 * one.amount)
    if one.kind is Kind.APPROXIMATE:
        return Cost(kind=one.kind, amount=2 * one.amount, delta=_delta_for_two(one))
    return Cost(kind=one.kind, amount=2 * one.amount)


def _delta_for_two(one: Cost) -> Fraction:
    if one.amount > 1000:
        return _NO_PROMISE
    grown = above(lambda: (1 + ball(one.amount).exp()) * ball(one.delta))
    return min(grown, _NO_PROMISE)
