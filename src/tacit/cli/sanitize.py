"""``tacit sanitize``: a synthetic table or column that may be published."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from tacit.cli.groups import Without, grouped
from tacit.cli.person_options import PersonsOptions
from tacit.cli.reading import Data, ReadingOptions
from tacit.cli.resources import LimitOptions
from tacit.cli.sanitize_options import (
    AnswerAccuracy,
    ColumnOptions,
    SanitizeFiles,
    TableOptions,
    TablePanel,
    TablePrivacy,
)
from tacit.cli.spend import Spending
from tacit.core import BadInput

if TYPE_CHECKING:
    from tacit.cli.sanitize_column import ColumnRelease
    from tacit.cli.sanitize_table import TableRelease
    from tacit.core import Privacy


@grouped
def sanitize(
    data: Data,
    *,
    column: ColumnOptions,
    table: TablePanel,
    privacy: TablePrivacy,
    persons: Annotated[PersonsOptions, Without("rows")],
    accuracy: AnswerAccuracy,
    spending: Spending,
    files: SanitizeFiles,
    reading: ReadingOptions,
    limits: LimitOptions,
) -> None:
    """Release a synthetic table, or one column; nothing else of the data reaches the disk."""
    from tacit.cli.paid import Order, deliver

    with limits.held():
        make = _column if table.schema is None else _table
        asked = make(column, table, files, accuracy=accuracy, privacy=privacy.read(persons))
        asked.check()
        order = Order(
            data=data,
            reading=reading,
            spending=spending,
            inputs={"schema": table.schema, "matrix": files.matrix},
            relation=privacy.relation,
            unit=persons.unit,
            force=files.force,
            as_json=files.as_json,
        )
        deliver(asked, order)


def _table(
    column: ColumnOptions,
    table: TableOptions,
    files: SanitizeFiles,
    *,
    accuracy: AnswerAccuracy,
    privacy: Privacy,
) -> TableRelease:
    """A table with a schema."""
    from tacit.cli.sanitize_table import TableRelease, read_queries
    from tacit.core import Accuracy

    assert table.schema is not None
    if column.columns is not None or files.matrix is not None:
        raise BadInput("--schema declares every column: leave --columns and --matrix out")
    return TableRelease(
        queries=read_queries(table.schema, kind=column.queries, ways=table.ways, about=table.about),
        privacy=privacy,
        accuracy=Accuracy(accuracy.alpha, accuracy.beta),
        algorithm=accuracy.algorithm,
        rows=table.rows,
        output=files.output,
        certificate=files.certificate,
        plot=files.plot,
        croissant=table.croissant,
    )


def _column(
    column: ColumnOptions,
    table: TableOptions,
    files: SanitizeFiles,
    *,
    accuracy: AnswerAccuracy,
    privacy: Privacy,
) -> ColumnRelease:
    """One column of whole numbers."""
    from tacit.cli.sanitize_column import ColumnRelease, read_queries, read_range
    from tacit.core import Accuracy

    if any(one is not None for one in (table.ways, table.about, table.rows, table.croissant)):
        raise BadInput("--ways, --about, --rows and --croissant need --schema")
    if column.columns is None or column.queries is None:
        raise BadInput(
            "say what to release: --schema with the table's columns, or --columns age:0..120 and "
            "--queries thresholds for one column"
        )
    name, low, high = read_range(column.columns)
    return ColumnRelease(
        queries=read_queries(column.queries, size=high - low + 1, matrix=files.matrix),
        name=name,
        low=low,
        high=high,
        privacy=privacy,
        accuracy=Accuracy(accuracy.alpha, accuracy.beta),
        algorithm=accuracy.algorithm,
        output=files.output,
        certificate=files.certificate,
        plot=files.plot,
    )
