"""``tacit predict``: apply a released rule; costs no privacy."""

from __future__ import annotations

import csv
import io
import json
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tacit.cli.common_options import Force
from tacit.cli.groups import grouped
from tacit.cli.outputs import Outputs
from tacit.cli.reading import Data, ReadingOptions
from tacit.core import BadInput, Hypothesis, Label, NamedRule, ReadsColumns, Source
from tacit.core.printable import lines
from tacit.problems.several.rules import Rules

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True, kw_only=True)
class Predictions:
    """What is told of each row, and where it goes."""

    column: Annotated[
        str | None, typer.Option(help="The column the rule looks at, if it does not name one.")
    ] = None
    id_: Annotated[
        str | None, typer.Option("--id", help="A column to carry along, such as a number.")
    ] = None
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, one object a row.")] = False
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A .csv or .parquet file to write.")
    ] = None
    force: Force = False


@grouped
def predict(
    model: Annotated[Path, typer.Argument(help="What `tacit learn -o` wrote.")],
    data: Data,
    *,
    wanted: Predictions,
    reading: ReadingOptions,
) -> None:
    """Apply a rule to every row of a table, in order; prints CSV by default.

    A rule with rates (learn --rate-share) says the estimated chance of its positive label, too; of
    several label columns each does, in a column such as chance_of_smoker_yes.
    Only the columns that the rule asks about must be there; the label column need not. Rows of a
    database have no order: --id names the column that tells them apart.
    """
    from tacit.cli.files import read_rule

    rule = read_rule(model)
    output = wanted.output
    if output is not None and output.suffix not in (".csv", ".parquet"):
        raise BadInput("the output file must end in .csv or .parquet")
    inputs = reading.inputs(data) | {"rule": model}
    with Outputs({"output": output}, inputs=inputs, force=wanted.force) as files:
        table = _answers(rule, reading.open(data), column=wanted.column, carried=wanted.id_)
        if output is not None:
            files["output"].write(_csv(table) if output.suffix == ".csv" else _parquet(table))
            typer.echo(f"{table.num_rows} rows are written to {output.name}", err=True)
        if wanted.as_json or output is None:
            text = _json(table) if wanted.as_json else _csv(table).decode().rstrip()
            typer.echo(lines(text) if sys.stdout.isatty() else text)


def _answers(
    rule: Hypothesis, source: Source, *, column: str | None, carried: str | None
) -> pa.Table:
    """The answers as a table, with the column that is carried along."""
    import pyarrow as pa

    from tacit.sources.files import check_columns

    if isinstance(rule, Rules):
        _refuse_column(column)
        return _several(rule, source, carried=carried)
    whole = rule if isinstance(rule, NamedRule) else NamedRule(rule=rule, label=Label())
    known = list(source.types)
    several = isinstance(whole.rule, ReadsColumns) or bool(whole.rows)
    if several:
        _refuse_column(column)
        needed = whole.columns or ()
    else:
        if column is None and whole.column is None and len(known) != 1:
            raise BadInput(f"say which column the rule looks at: {', '.join(known)}")
        needed = (column or whole.column or known[0],)
    read = list(needed) or known[:1]
    check_columns(source, *read, *((carried,) if carried else ()))
    table, kept = _read(source, [whole], read, carried)
    x = table if several else table.column(needed[0])
    told = {"prediction": pa.array(whole.answers(x))} | _chances(whole, x)
    if carried in told:
        raise BadInput(f"--id names the column {carried!r}, which the answers are called")
    return pa.table(kept | told)


def _chances(named: NamedRule, x: object, *, of: str = "") -> dict[str, pa.Array]:
    """The estimated chance of the positive label, or of each of several, where it has rates."""
    import pyarrow as pa

    from tacit.problems.tables.rated_rule import WithRates

    if not isinstance(named.rule, WithRates):
        return {}
    told = list(zip(named.label.values, named.rule.probabilities(x).T, strict=True))
    few = told[1:] if len(told) == 2 else told  # one of two says the other
    return {f"chance_of_{of}{label}": pa.array(chance) for label, chance in few}


def _refuse_column(column: str | None) -> None:
    """Refuse a column that a rule over several would not look at."""
    if column is not None:
        raise BadInput("--column is for a rule over one column: this one names its columns itself")


def _several(rules: Rules, source: Source, *, carried: str | None) -> pa.Table:
    """One column of answers a label, called as the label is."""
    import pyarrow as pa

    from tacit.sources.files import check_columns

    each = [rule if isinstance(rule, NamedRule) else None for rule in rules]
    if any(one is None or one.columns is None for one in each):
        raise BadInput("these rules do not name their columns: apply them in Python")
    named = [one for one in each if one is not None]
    needed = dict.fromkeys(name for one in named for name in one.columns or ())
    read = list(needed) or list(source.types)[:1]
    check_columns(source, *read, *((carried,) if carried else ()))
    table, kept = _read(source, named, read, carried)
    if carried in rules.names:
        raise BadInput(f"--id names the column {carried!r}, which is also a label")
    told: dict[str, pa.Array] = {}
    for name, one in zip(rules.names, named, strict=True):
        told[name] = pa.array(one.answers(_seen(one, table)))
        for called, chance in _chances(one, table, of=f"{name}_").items():
            while called in {*kept, *rules.names, *told}:
                called += "_"  # the release is paid for, and its labels are as they are
            told[called] = chance
    return pa.table(kept | told)


def _seen(named: NamedRule, table: pa.Table) -> object:
    """What a rule looks at: a table, its rows in their order, or the one column."""
    if isinstance(named.rule, ReadsColumns):
        return table
    names = list(named.columns or ())
    return table.select(names) if named.rows else table.column(names[0])


def _for_rules(source: Source, rules: Sequence[NamedRule]) -> Source:
    """The source with its cells as the rules compare them."""
    from tacit.domains.schema import Schema
    from tacit.sources.spelling import used, word_columns

    schemas = [one.rule.schema for one in rules if isinstance(one.rule, ReadsColumns)]
    words = [word_columns(schema) for schema in schemas if isinstance(schema, Schema)]
    return used(source, words=[name for each in words for name in each])


def _read(
    source: Source, rules: Sequence[NamedRule], names: list[str], carried: str | None
) -> tuple[pa.Table, dict[str, pa.ChunkedArray]]:
    """The columns that rules ask about, and the one that is carried along, as it is written.

    Rows of a database have no order: answers without a column of theirs would be nobody's, and
    one of another pass might be somebody else's.
    """
    from tacit.sources.files import Distributed, read_table
    from tacit.sources.spelling import Spelled, used

    if carried is None and isinstance(source, Distributed):
        raise BadInput(
            f"{source.name}: rows of a database have no order of their own; name the column that "
            f"tells them apart (--id); there are {', '.join(source.types)}"
        )
    if carried is None:
        return read_table(_for_rules(source, rules), names), {}
    if isinstance(source, Spelled):  # a cell that is carried along is what stands there
        apart = read_table(used(source, written=[carried]), [carried])
        return read_table(_for_rules(source, rules), names), {carried: apart.column(carried)}
    table = read_table(source, [*names, carried])
    return table.select(list(dict.fromkeys(names))), {carried: table.column(carried)}


def _csv(table: pa.Table) -> bytes:
    """CSV with quotes only where they are needed."""
    content = io.StringIO()
    lines = csv.writer(content, lineterminator="\n")
    lines.writerow(table.column_names)
    lines.writerows(zip(*map(_cells, table.columns), strict=True))
    return content.getvalue().encode()


def _json(table: pa.Table) -> str:
    """JSON, one object a row; what JSON has no form for, as text or null."""
    columns = [[_plain(cell) for cell in _cells(column)] for column in table.columns]
    rows = [dict(zip(table.column_names, row, strict=True)) for row in zip(*columns, strict=True)]
    return json.dumps(rows)


def _cells(column: pa.ChunkedArray) -> list[object]:
    """The cells of a column; a date that Python's calendar does not have, as Arrow's text.

    An infinite date of a database is among them. How a cell is told depends on no other cell.
    """
    try:
        return list(column.to_pylist())
    except (OverflowError, ValueError):
        return [_cell(one) for one in column]


def _cell(one: pa.Scalar) -> object:
    import pyarrow as pa

    try:
        return one.as_py()
    except (OverflowError, ValueError):
        if isinstance(one, pa.StructScalar):
            return {name: _cell(part) for name, part in one.items()}
        if isinstance(one, pa.ListScalar):  # maps are lists, too
            return [_cell(part) for part in one.values]
        zoned = pa.types.is_timestamp(one.type) and one.type.tz is not None
        # Arrow adds hours of a time zone to the last moment that a number holds, and goes round.
        plain = one.cast(pa.timestamp(one.type.unit)) if zoned else one
        told = str(plain.cast(pa.string()).as_py())
        return f"{told}Z" if zoned and told[-1].isdigit() else told


def _plain(cell: object) -> object:
    """A cell of a column that is carried along, as JSON can hold it."""
    if isinstance(cell, float):
        return cell if math.isfinite(cell) else None
    if isinstance(cell, (date, time)):
        return cell.isoformat()
    if isinstance(cell, bytes):
        return cell.hex()
    return cell if cell is None or isinstance(cell, (str, int)) else str(cell)


def _parquet(table: pa.Table) -> bytes:
    import pyarrow.parquet

    content = io.BytesIO()
    pyarrow.parquet.write_table(table, content)
    return content.getvalue()
