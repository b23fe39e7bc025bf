"""The options of commands that cost privacy: which ledger pays, and what it would cost."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from tacit.accounting.about import About, describing, present
from tacit.accounting.postgres import is_address
from tacit.core import BadInput, BudgetRefused, Event, TacitError
from tacit.core.numbers import show_rounded_up

if TYPE_CHECKING:
    from tacit.accounting import Ledger
    from tacit.accounting.admission import Remaining
    from tacit.accounting.composition import Total


@dataclass(frozen=True, slots=True, kw_only=True)
class Spending:
    """Which ledger pays for a release, and what it is told."""

    ledger: Annotated[
        str | None, typer.Option(help="The ledger that pays: what `tacit budget create` made.")
    ] = None
    no_ledger: Annotated[
        bool,
        typer.Option("--no-ledger", help="Count this release nowhere; its certificate says so."),
    ] = False
    purpose: Annotated[
        str, typer.Option(help="Why this is released, for the ledger and the certificate.")
    ] = ""
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Say what the release would cost; nothing is charged."),
    ] = False

    @property
    def file(self) -> Path | None:
        """The file of the ledger, as far as it is one."""
        return ledger_file(self.ledger)

    def payer(self) -> Payer:
        """The ledger that was named, or none if that was said in so many words."""
        return payer(self.ledger, none=self.no_ledger)


@dataclass(frozen=True)
class Payer:
    """The ledger that a command charges. ``counted`` is false with ``--no-ledger``."""

    ledger: Ledger
    counted: bool


def payer(path: str | None, *, none: bool) -> Payer:
    """The ledger that was named, or none if that was said in so many words."""
    from tacit.accounting import Ledger

    if path is not None and none:
        raise BadInput("--ledger and --no-ledger contradict each other: give one of them")
    if path is not None:
        return Payer(Ledger.open_existing(path), counted=True)
    if not none:
        raise BadInput(
            "say which ledger pays: --ledger FILE (`tacit budget create FILE --epsilon 1 "
            "--data-set NAME` makes one), or --no-ledger to count this release nowhere"
        )
    return Payer(Ledger.memory(), counted=False)


def ledger_file(path: str | None) -> Path | None:
    """The file of a ledger, as far as it is one."""
    return None if path is None or is_address(path) else Path(path)


@dataclass(frozen=True, slots=True)
class Charge:
    """What a release would be charged, and what the charge would say: whom it protects."""

    event: Event
    about: About


class _Asked(Exception):
    def __init__(self, charge: Charge) -> None:
        super().__init__()
        self.charge = charge


class _Asker:
    """Stands where a ledger stands, and stops the release at the moment of its charge."""

    def charge(self, event: Event, *, note: str = "") -> NoReturn:
        del note
        raise _Asked(Charge(event, present()))


def cost_of(release: Callable[[object], object]) -> Charge:
    """What a release would be charged; it goes as far as the charge and no further."""
    try:
        release(_Asker())
    except _Asked as asked:
        return asked.charge
    raise TacitError("this release would cost nothing")


def cost_words(charge: Charge, book: Payer, *, as_json: bool = False) -> str:
    """What a release would cost, and what would be left; as JSON with exact numbers.

    Spent, left and after are told only where a ledger would pay.
    """
    told = _cost(charge, book)
    if as_json:
        exact = {name: value.to_dict() for name, value in told.items()}
        return json.dumps({"charged": False, **exact}, indent=2)
    lines = [f"{name:5}  {value}" for name, value in told.items()]
    alone = told["cost"].epsilon
    if alone is not None and alone > 5:
        lines.append(f"Caution: epsilon = {show_rounded_up(alone)} promises next to nothing.")
    return "\n".join((*lines, "Nothing was charged, and no record was used."))


def _cost(charge: Charge, book: Payer) -> dict[str, Total | Remaining]:
    from tacit.accounting import total

    ledger, event = book.ledger, charge.event
    told: dict[str, Total | Remaining] = {"cost": total([event], delta=ledger.delta)}
    if not book.counted:
        return told
    told |= {"spent": ledger.spent, "left": ledger.remaining}
    with describing(charge.about):
        reason = ledger.refusal(event)
    if reason is not None:
        lines = [f"{name:5}  {value}" for name, value in told.items()]
        raise BudgetRefused("\n".join((*lines, f"The ledger would refuse it: {reason}")))
    events = [*(entry.cost for entry in ledger.entries), event]
    after = total(events, delta=ledger.delta, relation=ledger.relation)
    return told | {"after": after}
