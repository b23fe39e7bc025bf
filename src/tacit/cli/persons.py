"""The options that say who is protected, the same for every command."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from tacit.core import BadInput

_PANEL = "Who is protected"

Unit = Annotated[
    str | None,
    typer.Option(
        help="The column that tells persons apart; default: each row is protected by itself.",
        rich_help_panel=_PANEL,
    ),
]
RowsPerUnit = Annotated[
    int | None,
    typer.Option(
        help="Use at most so many rows of each person; default 1. A model (learn --model) uses "
        "one, however many are allowed.",
        rich_help_panel=_PANEL,
    ),
]
Rows = Annotated[
    str | None,
    typer.Option(
        help="What is known about the rows of one person: any (default), or independent.",
        rich_help_panel=_PANEL,
    ),
]


def refuse_independent(rows: str | None) -> None:
    """Refuse a model that would be asked to use what its learner does not: several rows."""
    if rows not in (None, "any"):
        raise BadInput(
            "--rows independent is for --class; a model uses one row of each person, however "
            "many are allowed"
        )


def persons(unit: str | None, rows_per_unit: int | None, rows: str | None = None) -> dict[str, Any]:
    """The fields of a task that these options stand for; an option without its unit is told."""
    for option, word in (("--rows-per-unit", rows_per_unit), ("--rows", rows)):
        if unit is None and word is not None:
            raise BadInput(f"{option} needs --unit, the column that tells persons apart")
    if unit is None:
        return {}
    return {
        "unit": unit,
        "rows_per_unit": 1 if rows_per_unit is None else rows_per_unit,
        "rows": rows or "any",
    }
