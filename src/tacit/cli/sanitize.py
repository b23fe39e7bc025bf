"""``tacit sanitize``: a synthetic table or column that may be published."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from tacit.cli.outputs import check_outputs
from tacit.cli.persons import RowsPerUnit, Unit, persons
from tacit.cli.reading import Data, Decimal, Delimiter, Encoding, Glob, Quote, Reading, Sheet
from tacit.cli.resources import limited, watched
from tacit.cli.sanitize_options import (
    Algorithm,
    Alpha,
    AsJson,
    Beta,
    CertificateFile,
    Columns,
    Croissant,
    Delta,
    DryRun,
    Epsilon,
    Force,
    LedgerFile,
    Matrix,
    NoLedger,
    Output,
    Plot,
    Purpose,
    Queries,
    Relation,
    Rows,
    SchemaFile,
    Ways,
)
from tacit.core import BadInput

if TYPE_CHECKING:
    from rich.console import Console

    from tacit.cli.outputs import Outputs
    from tacit.cli.sanitize_column import ColumnRelease
    from tacit.cli.sanitize_table import TableRelease
    from tacit.core import Privacy, Release


@limited
def sanitize(
    data: Data,
    *,
    epsilon: Epsilon,
    output: Output,
    schema: SchemaFile = None,
    ways: Ways = None,
    rows: Rows = None,
    croissant: Croissant = None,
    columns: Columns = None,
    queries: Queries = None,
    delta: Delta = "0",
    relation: Relation = "replace-one",
    unit: Unit = None,
    rows_per_unit: RowsPerUnit = None,
    alpha: Alpha = "0.1",
    beta: Beta = "0.05",
    algorithm: Algorithm = None,
    ledger: LedgerFile = None,
    no_ledger: NoLedger = False,
    purpose: Purpose = "",
    dry_run: DryRun = False,
    plot: Plot = None,
    certificate: CertificateFile = None,
    matrix: Matrix = None,
    force: Force = False,
    as_json: AsJson = False,
    delimiter: Delimiter = None,
    decimal: Decimal = ".",
    encoding: Encoding = "utf-8",
    quote: Quote = '"',
    sheet: Sheet = None,
    glob: Glob = False,
) -> None:
    """Release a synthetic table, or one column; nothing else of the data reaches the disk."""
    _sanitize(**locals())


_READING = ("delimiter", "decimal", "encoding", "quote", "sheet", "glob")


def _sanitize(*, data: Path, **given: Any) -> None:
    """Check every option, charge the ledger, release, deliver."""
    from tacit.accounting import About, describing
    from tacit.cli.deliver import Delivery
    from tacit.cli.files import show_release
    from tacit.cli.rehearsal import rehearse_words
    from tacit.cli.spend import cost_of, cost_words, ledger_file, payer
    from tacit.core import Privacy
    from tacit.report.release_file import release_record

    reading = Reading(**{name: given[name] for name in _READING})
    protected = persons(given["unit"], given["rows_per_unit"])
    protected.pop("rows", None)
    privacy = Privacy(given["epsilon"], given["delta"], given["relation"], **protected)
    asked = (_column if given["schema"] is None else _table)(given, privacy)
    asked.check()
    files = {"ledger": ledger_file(given["ledger"])}
    inputs = reading.inputs(data) | files | {name: given[name] for name in ("schema", "matrix")}
    check_outputs(asked.outputs, inputs=inputs, force=given["force"])
    book = payer(given["ledger"], none=given["no_ledger"])

    def released(payee: Any) -> Release[Any]:
        return asked.release(reading.open(data), payee)

    if given["dry_run"]:
        typer.echo(cost_words(cost_of(released), book, as_json=given["as_json"]))
        return
    about = About(data_set=book.ledger.data_set, columns=asked.columns, purpose=given["purpose"])
    with (
        describing(about),
        Delivery(
            asked.outputs, inputs=inputs, ledger=book.ledger, force=given["force"]
        ) as delivery,
    ):
        rehearse_words()
        asked.rehearse()
        seen = {name: given[name] for name in ("relation", "unit")}
        with watched("making the table", **seen):
            release = released(book.ledger)
        column = asked.column
        record = release_record(release, about=about, column=column, counted=book.counted)

        def write(files: Outputs) -> None:
            with watched("writing the table", **seen):
                asked.write(release, record, files)

        def draw(console: Console) -> None:
            show_release(release, console=console, title="synthetic table", column=column or "x")
            written = ", ".join(map(str, delivery.files.paths))
            console.print(f"\nwritten: {written}", markup=False, highlight=False, soft_wrap=True)

        delivery.finish(
            record,
            release,
            write=write,
            show=None if given["as_json"] else draw,
        )


_OF_BOTH = ("algorithm", "output", "certificate", "plot")


def _table(given: Mapping[str, Any], privacy: Privacy) -> TableRelease:
    """A table with a schema."""
    from tacit.cli.sanitize_table import TableRelease, read_queries
    from tacit.core import Accuracy

    if given["columns"] is not None or given["matrix"] is not None:
        raise BadInput("--schema declares every column: leave --columns and --matrix out")
    return TableRelease(
        queries=read_queries(given["schema"], kind=given["queries"], ways=given["ways"]),
        privacy=privacy,
        accuracy=Accuracy(given["alpha"], given["beta"]),
        rows=given["rows"],
        croissant=given["croissant"],
        **{name: given[name] for name in _OF_BOTH},
    )


def _column(given: Mapping[str, Any], privacy: Privacy) -> ColumnRelease:
    """One column of whole numbers."""
    from tacit.cli.sanitize_column import ColumnRelease, read_queries, read_range
    from tacit.core import Accuracy

    if any(given[name] is not None for name in ("ways", "rows", "croissant")):
        raise BadInput("--ways, --rows and --croissant need --schema")
    if given["columns"] is None or given["queries"] is None:
        raise BadInput(
            "say what to release: --schema with the table's columns, or --columns age:0..120 and "
            "--queries thresholds for one column"
        )
    name, low, high = read_range(given["columns"])
    return ColumnRelease(
        queries=read_queries(given["queries"], size=high - low + 1, matrix=given["matrix"]),
        column=name,
        low=low,
        high=high,
        privacy=privacy,
        accuracy=Accuracy(given["alpha"], given["beta"]),
        **{name: given[name] for name in _OF_BOTH},
    )
