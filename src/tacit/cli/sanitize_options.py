"""The options of ``tacit sanitize``, as Typer reads them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tacit.cli.outputs import FORCE
from tacit.cli.spend import DRY_RUN, LEDGER, NO_LEDGER, PURPOSE

_TABLE = "Tables of several columns"

Epsilon = Annotated[str, typer.Option(help="Privacy, such as 0.5 or 1/2.")]
Output = Annotated[
    Path, typer.Option("--output", "-o", help="A .csv, .parquet, .arrow or .feather file.")
]
SchemaFile = Annotated[
    Path | None,
    typer.Option(help="The table's public columns; see `tacit schema`.", rich_help_panel=_TABLE),
]
Ways = Annotated[
    int | None,
    typer.Option(help="How many columns a query is about; default 2.", rich_help_panel=_TABLE),
]
Rows = Annotated[
    int | None,
    typer.Option(help="Rows to write; default: as many as records.", rich_help_panel=_TABLE),
]
Croissant = Annotated[
    Path | None,
    typer.Option(help="Write metadata with the privacy statement.", rich_help_panel=_TABLE),
]
Columns = Annotated[
    str | None, typer.Option(help="One column and its public range, such as age:0..120.")
]
Queries = Annotated[
    str | None,
    typer.Option(
        help="points, thresholds, parities or table; with --schema marginals, conditions, "
        "ranges or prefix-sums."
    ),
]
Delta = Annotated[str, typer.Option(help="0 for pure privacy.")]
Relation = Annotated[str, typer.Option(help="replace-one or add-remove.")]
Alpha = Annotated[str, typer.Option(help="Error of every answer to certify.")]
Beta = Annotated[str, typer.Option(help="Failure probability to certify.")]
Algorithm = Annotated[str | None, typer.Option(help="Default: the plan's best.")]
LedgerFile = Annotated[str | None, typer.Option(help=LEDGER)]
NoLedger = Annotated[bool, typer.Option("--no-ledger", help=NO_LEDGER)]
Purpose = Annotated[str, typer.Option(help=PURPOSE)]
DryRun = Annotated[bool, typer.Option("--dry-run", help=DRY_RUN)]
Plot = Annotated[
    Path | None,
    typer.Option(
        help="Draw the released answers: .html, .svg or .png. With --schema the error of each "
        "marginal (.svg), for a twentieth of the budget."
    ),
]
CertificateFile = Annotated[
    Path | None,
    typer.Option(
        "--certificate", "--release", help="Write the release with its certificate (JSON)."
    ),
]
Matrix = Annotated[
    Path | None, typer.Option(help="The queries of --queries table: a 0/1 matrix in CSV.")
]
Force = Annotated[bool, typer.Option("--force", help=FORCE)]
AsJson = Annotated[bool, typer.Option("--json", help="Print the release as JSON, nothing else.")]
