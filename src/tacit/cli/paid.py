"""The way of every command that pays: check, ask or charge, release, keep, write, show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import typer

from tacit.accounting import About, describing
from tacit.cli.deliver import Delivery
from tacit.cli.files import show_release
from tacit.cli.outputs import Outputs, check_outputs
from tacit.cli.reading import Reading
from tacit.cli.rehearsal import rehearse_words
from tacit.cli.resources import watched
from tacit.cli.spend import Spending, cost_of, cost_words
from tacit.report.release_file import release_record

if TYPE_CHECKING:
    from rich.console import Console

    from tacit.core import Release, Source


class Asked(Protocol):
    """What a command releases, and where it goes."""

    @property
    def making(self) -> str:
        """What a terminal hears while it is made."""

    @property
    def writing(self) -> str:
        """What a terminal hears while it is written."""

    @property
    def outputs(self) -> Mapping[str, Path | None]:
        """Every file that is written."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are read, or released."""

    @property
    def label(self) -> str:
        """The label column; nothing where there is none."""

    @property
    def column(self) -> str | None:
        """The one column that is released, where there is just one."""

    def release(self, source: Source, ledger: Any) -> Release[Any]:
        """Charge the ledger and release."""

    def rehearse(self) -> None:
        """Load, before the charge, what writes and draws it."""

    def write(self, release: Release[Any], record: Mapping[str, Any], files: Outputs) -> None:
        """Write what was asked for."""

    def show(self, release: Release[Any], paths: list[Path], console: Console) -> None:
        """Print what was released, and where it is."""


class Synthetic:
    """What a terminal hears and shows of a synthetic table or column."""

    __slots__ = ()
    making: ClassVar[str] = "making the table"
    writing: ClassVar[str] = "writing the table"
    label: ClassVar[str] = ""

    @property
    def column(self) -> str | None:
        """The one column that is released; a table has several."""
        return None

    def show(self, release: Release[Any], paths: list[Path], console: Console) -> None:
        """Print the table in words and its certificate, and where they are."""
        column = self.column or "x"
        show_release(release, console=console, title="synthetic table", column=column)
        written = ", ".join(map(str, paths))
        console.print(f"\nwritten: {written}", markup=False, highlight=False, soft_wrap=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """Where the records are, who pays, and how the answer is handed over.

    ``relation`` and ``unit`` say whether the number of records may be told on a terminal.
    """

    data: Path
    reading: Reading
    spending: Spending
    inputs: Mapping[str, Path | None]
    relation: str
    unit: str | None
    force: bool
    as_json: bool


def deliver(asked: Asked, order: Order) -> None:
    """Release what is asked, after everything that can fail; with ``--dry-run`` say its cost."""
    spending, reading = order.spending, order.reading
    inputs = reading.inputs(order.data) | {"ledger": spending.file} | dict(order.inputs)
    outputs, label = asked.outputs, asked.label
    check_outputs(outputs, inputs=inputs, force=order.force)
    columns = asked.columns
    book = spending.payer()

    def released(payee: object) -> Release[Any]:
        return asked.release(reading.open(order.data), payee)

    if spending.dry_run:
        typer.echo(cost_words(cost_of(released), book, as_json=order.as_json))
        return
    about = About(
        data_set=book.ledger.data_set,
        columns=columns,
        label=label,
        purpose=spending.purpose,
    )
    with (
        describing(about),
        Delivery(outputs, inputs=inputs, ledger=book.ledger, force=order.force) as delivery,
    ):
        rehearse_words()
        asked.rehearse()
        with watched(asked.making, relation=order.relation, unit=order.unit):
            release = released(book.ledger)
        column = asked.column
        record = release_record(release, about=about, column=column, counted=book.counted)

        def write(files: Outputs) -> None:
            with watched(asked.writing, relation=order.relation, unit=order.unit):
                asked.write(release, record, files)

        def draw(console: Console) -> None:
            asked.show(release, delivery.files.paths, console)

        delivery.finish(record, release, write=write, show=None if order.as_json else draw)
