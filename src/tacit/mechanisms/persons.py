"""Whole persons with several rows: what a mechanism for rows costs them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, TypeVar

from tacit.core import (
    MECHANISMS,
    ZCDP,
    Approximate,
    BadInput,
    Claim,
    Composed,
    Event,
    Mechanism,
    Pure,
    Relation,
    Sample,
    Sampler,
    Selection,
    Tiny,
    leaves,
)
from tacit.core.numbers import whole
from tacit.core.persons import Persons
from tacit.domains.integers import Integers
from tacit.domains.persons import ListedPersons, persons_of
from tacit.mechanisms.calibration import group_delta, rows_moved
from tacit.mechanisms.noise import Geometric

V = TypeVar("V")

PERSONS = Claim(
    paper="own",
    locator="Persons, Theorem 1",
    statement="a mechanism for rows, run on at most m rows of each person, is private for whole "
    "persons at m times the cost of an added or removed row; one row of each person costs what a "
    "record costs",
    proof="mechanisms/persons.proof.md",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ForPersons(Mechanism[Persons, V]):
    """Run a mechanism for rows on at most ``rows`` rows of each person.

    Privacy
    -------
    Requires  ``inner`` is private for rows, whatever their order: with one row of each person
              under ``relation`` itself, with several under ``ADD_REMOVE``.
    Ensures   for whole persons: the event of ``inner`` with one row; with several the event of
              a group of ``rows_moved(relation, rows)`` rows, or ``stated`` where that is given
              and the group's promise implies it.
    Proof     Theorem 1 of ``persons.proof.md``.
    Numerics  costs are exact, or rounded up; which rows are kept is no private draw.

    Edge cases
    ----------
    Rows without an id are dropped. No rows, or nobody with more than ``rows``: as ``inner``.
    """

    CLAIM: ClassVar[Claim] = PERSONS

    inner: Mechanism[Any, V]
    rows: int
    relation: Relation
    stated: Event | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", whole(self.rows, name="rows", least=1))
        needed, held = row_relation(self.relation, self.rows), self.inner.event().relation
        # A label that changes is a record that is replaced.
        covered = needed is Relation.LABEL and held is Relation.REPLACE_ONE
        if held is not needed and not covered:
            raise BadInput(f"the inner mechanism must be private under {needed.value}")

    def event(self) -> Event:
        if self.stated is not None:
            return self.stated
        if self.rows == 1:
            return self.inner.event()
        steps = rows_moved(self.relation, self.rows)
        return group_event(self.inner.event(), steps=steps, relation=self.relation)

    def label(self) -> str:
        return self.inner.label()

    def _release(self, data: Persons, *, rng: Sampler) -> V:
        return rng.part(self.inner, data.at_most(self.rows).sample)  # [P1]


def row_relation(relation: Relation, rows: int) -> Relation:
    """Under which relation a mechanism for rows must be private, for persons to be."""
    return relation if rows == 1 else Relation.ADD_REMOVE


def group_event(event: Event, *, steps: int, relation: Relation) -> Event:
    """What an event for one row costs a group that differs in ``steps`` rows."""
    match event:
        case Pure():
            return Pure(epsilon=steps * event.epsilon, relation=relation)
        case Selection():
            return Selection(epsilon=steps * event.epsilon, relation=relation)
        case ZCDP():
            return ZCDP(rho=steps**2 * event.rho, relation=relation)
        case Approximate():
            grown = group_delta(epsilon=event.epsilon, delta=event.delta, steps=steps)
            return Approximate(epsilon=steps * event.epsilon, delta=grown, relation=relation)
        case Composed():
            parts = (group_event(one, steps=steps, relation=relation) for one in event.events)
            return Composed(events=tuple(parts), relation=relation)
        case _:
            raise BadInput(f"no group is known for events of type {type(event).__name__}")


def has_zcdp(event: Event) -> bool:
    """Whether a part of the event is stated as zCDP."""
    return any(isinstance(leaf, ZCDP) for leaf in leaves(event))


def row_share(
    *, epsilon: Fraction, delta: Fraction, relation: Relation, rows: int
) -> tuple[Fraction, Fraction]:
    """The epsilon and delta of a mechanism for rows that give persons these; delta rounded down."""
    steps = rows_moved(relation, rows)
    share = epsilon / steps
    if not delta:
        return share, delta
    # The least grown delta is that of one row: dividing by the growth, rounded up, is safe.
    growth = group_delta(epsilon=share, delta=Fraction(1), steps=steps)
    return share, delta / growth


@dataclass(frozen=True, slots=True)
class _Ones:
    """How many rows have a label: moves by one with each row."""

    unit = Fraction(1)

    def sensitivity(self, relation: Relation) -> Fraction:
        del relation
        return Fraction(1)

    def __call__(self, data: Sample) -> tuple[Fraction, ...]:
        return (Fraction(int(data.y.sum())),)


def _tiny(epsilon: Fraction) -> Mechanism[Persons, Any]:
    """A noisy count of rows with label 1, two rows a person."""
    share, _ = row_share(epsilon=epsilon, delta=Fraction(0), relation=Relation.REPLACE_ONE, rows=2)
    inner = Geometric(query=_Ones(), epsilon=share, relation=Relation.ADD_REMOVE)
    return ForPersons(inner=inner, rows=2, relation=Relation.REPLACE_ONE)


_CROWD = (((0, 1), (0, 1)),) * 3
MECHANISMS.add(
    Tiny(
        name="ForPersons",
        make=_tiny,
        records=persons_of([(0, 0), (0, 1)], most=3),
        n=1,
        pairs=[(_CROWD, ((), *_CROWD[1:]))],
        form=lambda persons: ListedPersons(Integers(size=1), persons),
    )
)
