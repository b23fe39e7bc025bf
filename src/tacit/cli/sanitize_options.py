"""The options of ``tacit sanitize``, in groups."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from tacit.cli.common_options import Algorithm, CertifiedBeta, Force, ReleaseAsJson
from tacit.cli.groups import Panel
from tacit.cli.privacy_options import PrivacyOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnOptions:
    """What is released: one column, and the questions that it answers, or those to a table."""

    columns: Annotated[
        str | None, typer.Option(help="One column and its public range, such as age:0..120.")
    ] = None
    queries: Annotated[
        str | None,
        typer.Option(
            help="points, thresholds, parities or table; with --schema marginals, conditions, "
            "ranges or prefix-sums."
        ),
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOptions:
    """A table of several columns."""

    schema: Annotated[
        Path | None, typer.Option(help="The table's public columns; see `tacit schema`.")
    ] = None
    ways: Annotated[
        int | None, typer.Option(help="How many columns a query is about; default 2.")
    ] = None
    about: Annotated[
        str | None,
        typer.Option(
            help="A column that every query names, such as a label to be told from the others: "
            "the budget goes to what they say about it."
        ),
    ] = None
    rows: Annotated[
        int | None, typer.Option(help="Rows to write; default: as many as records.")
    ] = None
    croissant: Annotated[
        Path | None, typer.Option(help="Write metadata with the privacy statement.")
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePrivacy(PrivacyOptions):
    """How private a table is: it has no label that could be all that is protected."""

    relation: Annotated[str, typer.Option(help="replace-one or add-remove.")] = "replace-one"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerAccuracy:
    """How good every answer is to be, and what makes the table."""

    alpha: Annotated[str, typer.Option(help="Error of every answer to certify.")] = "0.1"
    beta: CertifiedBeta = "0.05"
    algorithm: Algorithm = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SanitizeFiles:
    """The files beside the data: what is written, and the matrix that is read."""

    output: Annotated[
        Path, typer.Option("--output", "-o", help="A .csv, .parquet, .arrow or .feather file.")
    ]
    plot: Annotated[
        Path | None,
        typer.Option(
            help="Draw the released answers: .html, .svg or .png. With --schema the error of each "
            "marginal (.svg), for a twentieth of the budget."
        ),
    ] = None
    certificate: Annotated[
        Path | None,
        typer.Option(
            "--certificate", "--release", help="Write the release with its certificate (JSON)."
        ),
    ] = None
    matrix: Annotated[
        Path | None, typer.Option(help="The queries of --queries table: a 0/1 matrix in CSV.")
    ] = None
    force: Force = False
    as_json: ReleaseAsJson = False


TablePanel = Annotated[TableOptions, Panel("Tables of several columns")]
