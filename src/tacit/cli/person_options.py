"""The options that say who is protected, the same for every command."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from tacit.cli.groups import Panel
from tacit.core import BadInput


@dataclass(frozen=True, slots=True, kw_only=True)
class Persons:
    """Who is protected: each row by itself, or each person with so many rows."""

    unit: Annotated[
        str | None,
        typer.Option(
            help="The column that tells persons apart; default: each row is protected by itself."
        ),
    ] = None
    rows_per_unit: Annotated[
        int | None,
        typer.Option(
            help="Use at most so many rows of each person; default 1. A model (learn --model) uses "
            "one, however many are allowed; --rate-share counts all of them."
        ),
    ] = None
    rows: Annotated[
        str | None,
        typer.Option(
            help="What is known about the rows of one person: any (default), or independent."
        ),
    ] = None

    def check(self) -> None:
        """Refuse an option that would be ignored, for want of a unit."""
        for option, word in (("--rows-per-unit", self.rows_per_unit), ("--rows", self.rows)):
            if self.unit is None and word is not None:
                raise BadInput(f"{option} needs --unit, the column that tells persons apart")

    @property
    def most(self) -> int:
        """How many rows of each person are used at most."""
        return 1 if self.rows_per_unit is None else self.rows_per_unit

    @property
    def known(self) -> str:
        """What is known about the rows of one person."""
        return self.rows or "any"

    def refuse_independent(self) -> None:
        """Refuse a model that would be asked to use what its learner does not: several rows."""
        if self.rows not in (None, "any"):
            raise BadInput(
                "--rows independent is for --class; a model uses one row of each person, however "
                "many are allowed"
            )


PersonsOptions = Annotated[Persons, Panel("Who is protected")]
