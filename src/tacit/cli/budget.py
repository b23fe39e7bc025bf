"""``tacit budget``: what a ledger file holds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from tacit.accounting import Ledger
from tacit.core.numbers import show, show_rounded_up


def budget(
    path: Annotated[Path, typer.Argument(help="The ledger file.", show_default=False)],
    *,
    delta: Annotated[
        str | None, typer.Option(help="State the total at this delta, not the ledger's own.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON with exact numbers.")] = False,
) -> None:
    """Show what was charged to a ledger, what it adds up to, and what is left."""
    ledger = Ledger.open_existing(path)
    at = ledger.delta if delta is None else delta
    if as_json:
        typer.echo(json.dumps(_record(ledger, at=at), indent=2))
    else:
        _print(ledger, at=at)


def _record(ledger: Ledger, *, at: object) -> dict[str, object]:
    left = ledger.remaining
    return {
        "limit": {
            "epsilon": None if ledger.epsilon is None else show(ledger.epsilon),
            "delta": show(ledger.delta),
            "relation": None if ledger.relation is None else ledger.relation.value,
        },
        "spent": ledger.spent_at(at).to_dict(),
        "remaining": {
            "epsilon": None if left.epsilon is None else show(left.epsilon),
            "delta": None if left.delta is None else show(left.delta),
        },
        "entries": [
            {"index": entry.index, "at": entry.at, "note": entry.note, **entry.cost.to_dict()}
            for entry in ledger.entries
        ],
    }


def _print(ledger: Ledger, *, at: object) -> None:
    console = Console()
    table = Table("#", "when", "what", "cost", "relation", title="Ledger")
    for entry in ledger.entries:
        event = entry.cost
        table.add_row(
            str(entry.index),
            f"{entry.at[:16]}Z",
            entry.note,
            event.describe(),
            event.relation.value,
        )
    console.print(table, markup=False)
    limit = "none" if ledger.epsilon is None else f"epsilon = {show(ledger.epsilon)}"
    if ledger.delta:
        limit += f", delta = {show_rounded_up(ledger.delta)}"
    if ledger.relation is not None:
        limit += f" ({ledger.relation.value})"
    for name, value in (
        ("limit", limit),
        ("spent", ledger.spent_at(at)),
        ("left", ledger.remaining),
    ):
        console.print(f"{name:5}  {value}", markup=False, highlight=False)
