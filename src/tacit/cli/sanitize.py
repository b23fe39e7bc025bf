"""``tacit sanitize``: a synthetic table or column that may be published."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tacit.cli.outputs import FORCE, Outputs, check_outputs
from tacit.cli.persons import RowsPerUnit, Unit, persons
from tacit.cli.reading import Data, Decimal, Delimiter, Encoding, Glob, Quote, Reading, Sheet
from tacit.cli.resources import limited
from tacit.cli.spend import DRY_RUN, LEDGER, NO_LEDGER, PURPOSE
from tacit.core import BadInput

if TYPE_CHECKING:
    from rich.console import Console

    from tacit.core import Release

_TABLE = "Tables of several columns"


@limited
def sanitize(
    data: Data,
    *,
    epsilon: Annotated[str, typer.Option(help="Privacy, such as 0.5 or 1/2.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="A .csv, .parquet, .arrow or .feather file.")
    ],
    schema: Annotated[
        Path | None,
        typer.Option(
            help="The table's public columns; see `tacit schema`.", rich_help_panel=_TABLE
        ),
    ] = None,
    ways: Annotated[
        int | None,
        typer.Option(help="How many columns a query is about; default 2.", rich_help_panel=_TABLE),
    ] = None,
    rows: Annotated[
        int | None,
        typer.Option(help="Rows to write; default: as many as records.", rich_help_panel=_TABLE),
    ] = None,
    croissant: Annotated[
        Path | None,
        typer.Option(help="Write metadata with the privacy statement.", rich_help_panel=_TABLE),
    ] = None,
    columns: Annotated[
        str | None,
        typer.Option(help="One column and its public range, such as age:0..120."),
    ] = None,
    queries: Annotated[
        str | None,
        typer.Option(
            help="points, thresholds, parities or table; with --schema marginals, conditions, "
            "ranges or prefix-sums."
        ),
    ] = None,
    delta: Annotated[str, typer.Option(help="0 for pure privacy.")] = "0",
    relation: Annotated[str, typer.Option(help="replace-one or add-remove.")] = "replace-one",
    unit: Unit = None,
    rows_per_unit: RowsPerUnit = None,
    alpha: Annotated[str, typer.Option(help="Error of every answer to certify.")] = "0.1",
    beta: Annotated[str, typer.Option(help="Failure probability to certify.")] = "0.05",
    algorithm: Annotated[str | None, typer.Option(help="Default: the plan's best.")] = None,
    ledger: Annotated[str | None, typer.Option(help=LEDGER)] = None,
    no_ledger: Annotated[bool, typer.Option("--no-ledger", help=NO_LEDGER)] = False,
    purpose: Annotated[str, typer.Option(help=PURPOSE)] = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help=DRY_RUN)] = False,
    plot: Annotated[
        Path | None,
        typer.Option(
            help="Draw the released answers: .html, .svg or .png. With --schema the error of each "
            "marginal (.svg), for a twentieth of the budget."
        ),
    ] = None,
    certificate: Annotated[
        Path | None,
        typer.Option(
            "--certificate", "--release", help="Write the release with its certificate (JSON)."
        ),
    ] = None,
    matrix: Annotated[
        Path | None, typer.Option(help="The queries of --queries table: a 0/1 matrix in CSV.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help=FORCE)] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the release as JSON, nothing else.")
    ] = False,
    delimiter: Delimiter = None,
    decimal: Decimal = ".",
    encoding: Encoding = "utf-8",
    quote: Quote = '"',
    sheet: Sheet = None,
    glob: Glob = False,
) -> None:
    """Release a synthetic table, or one column; nothing else of the data reaches the disk."""
    from tacit.accounting import About, describing
    from tacit.api import sanitize as release_table
    from tacit.cli.deliver import Delivery
    from tacit.cli.files import show_release
    from tacit.cli.sanitize_table import TableRelease, sanitize_table
    from tacit.cli.sanitize_table import read_queries as table_queries
    from tacit.cli.spend import cost_of, cost_words, ledger_file, payer
    from tacit.core import Accuracy, Privacy
    from tacit.report.answers import answers_chart, chart_file, save_chart
    from tacit.report.release_file import release_record, release_text
    from tacit.sources.files import StreamedRecords, number_reading
    from tacit.sources.persons import SourcePersons

    reading = Reading(
        delimiter=delimiter,
        decimal=decimal,
        encoding=encoding,
        quote=quote,
        sheet=sheet,
        glob=glob,
    )
    protected = persons(unit, rows_per_unit)
    protected.pop("rows", None)
    privacy = Privacy(epsilon, delta, relation, **protected)
    if schema is not None:
        if columns is not None or matrix is not None:
            raise BadInput("--schema declares every column: leave --columns and --matrix out")
        sanitize_table(
            TableRelease(
                queries=table_queries(schema, kind=queries, ways=ways),
                privacy=privacy,
                accuracy=Accuracy(alpha, beta),
                algorithm=algorithm,
                rows=rows,
                output=output,
                certificate=certificate,
                plot=plot,
                croissant=croissant,
            ),
            data,
            reading=reading,
            book=payer(ledger, none=no_ledger),
            ledger=ledger_file(ledger),
            schema=schema,
            purpose=purpose,
            dry_run=dry_run,
            as_json=as_json,
            force=force,
        )
        return
    if (ways, rows, croissant) != (None, None, None):
        raise BadInput("--ways, --rows and --croissant need --schema")
    if columns is None or queries is None:
        raise BadInput(
            "say what to release: --schema with the table's columns, or --columns age:0..120 and "
            "--queries thresholds for one column"
        )
    if output.suffix not in (".csv", ".parquet"):
        raise BadInput("the output file must end in .csv or .parquet")
    if plot is not None:
        chart_file(plot)
    name, low, high = read_range(columns)
    concepts = read_queries(queries, size=high - low + 1, matrix=matrix)
    wanted = {"output": output, "certificate": certificate, "plot": plot}
    inputs = reading.inputs(data) | {"ledger": ledger_file(ledger), "matrix": matrix}
    check_outputs(wanted, inputs=inputs, force=force)
    book = payer(ledger, none=no_ledger)

    def release_column(payee: Any) -> Release[Any]:
        source = reading.open(data)
        how = number_reading(source, columns=(name,), low=low, exact=high - low >= 1 << 53)
        return release_table(
            StreamedRecords(source, how)
            if unit is None
            else SourcePersons(source, how, unit=unit, domain=concepts.domain),
            concepts,
            privacy=privacy,
            accuracy=Accuracy(alpha, beta),
            ledger=payee,
            algorithm=algorithm,
        )

    if dry_run:
        typer.echo(cost_words(cost_of(release_column), book))
        return
    about = About(data_set=book.ledger.data_set, columns=(name,), purpose=purpose)
    with (
        Delivery(wanted, inputs=inputs, ledger=book.ledger, force=force) as delivery,
        describing(about),
    ):
        release = release_column(book.ledger)
        table = replace(release.value, low=low, column=name)
        record = release_record(
            replace(release, value=table), about=about, column=name, counted=book.counted
        )

        def write(files: Outputs) -> None:
            table.write(files["output"].draft)
            files["output"].publish()
            if certificate is not None:
                files["certificate"].write(release_text(record))
            if plot is not None:
                save_chart(answers_chart(table, concepts), files["plot"].draft)
                files["plot"].publish()

        def draw(console: Console) -> None:
            show_release(release, console=console, title="synthetic table", column=name)
            written = ", ".join(map(str, delivery.files.paths))
            console.print(f"\nwritten: {written}", markup=False, highlight=False, soft_wrap=True)

        delivery.finish(record, release, write=write, show=None if as_json else draw)


def read_queries(queries: str, *, size: int, matrix: Path | None) -> Any:
    """The class of queries over a range of ``size`` values."""
    from tacit.cli.task import read_class

    if queries == "parities":
        from tacit.classes import Parities

        if size < 2 or size & (size - 1):
            raise BadInput("parities need a range of 2, 4, 8, ... values, such as flags:0..255")
        return Parities(bits=size.bit_length() - 1)
    if queries not in ("points", "thresholds", "table"):
        raise BadInput("--queries must be points, thresholds, parities or table")
    concepts = read_class(concepts=queries, size=size, matrix=matrix)
    if concepts.domain.size != size:
        raise BadInput(
            "the matrix of --queries table needs one column for every value of the range"
        )
    return concepts


def read_range(text: str) -> tuple[str, int, int]:
    """``age:0..120`` as a name and the two ends."""
    match = re.fullmatch(r"(.+):(-?\d+)\.\.(-?\d+)", text.strip())
    if match is None:
        raise BadInput("--columns must look like age:0..120, the public range of the column")
    low, high = int(match[2]), int(match[3])
    if high < low:
        raise BadInput("--columns must give the lower end of the range first")
    return match[1], low, high
