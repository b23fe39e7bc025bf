"""``tacit schema``: start a schema from a table's types, and check a finished one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tacit.cli.common_options import AsJson, Force, SomeFile
from tacit.cli.groups import Without, grouped
from tacit.cli.outputs import one_output
from tacit.cli.reading import Data, Reading, ReadingOptions
from tacit.core import BadInput, Source
from tacit.core.printable import one_line
from tacit.core.source import KnowsRequired, LeavesOut

if TYPE_CHECKING:
    from tacit.domains.schema import Field, Schema

_HELP = """\
# Fill in every "?", and delete the columns that a rule must not ask.
#   kind = "number" or "integer": low and high; bins = 16, or cuts = [1, 5, 10], if you like
#   kind = "category": values = ["north", "south"]; ordered = true if they go up
#   kind = "date": low = 2023-01-01 and high; cells = "days", "months" or "years"; in text files
#   format = "%d.%m.%Y" if they are not written 2023-01-31; kind = "boolean": nothing
#   Missing values share a cell with anything undeclared; missing = "own" keeps them apart, and
#   complete = true says that the column has neither.
#   For synthetic tables, at the end of the file: what cannot be, such as
#   [[impossible]]
#   sex = "male"
#   pregnant = true
"""

_SHOWN = 40
_Reading = Annotated[ReadingOptions, Without("query")]

schema = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False)


@schema.callback()
def _about() -> None:
    """Write or check the public schema of a table."""


@schema.command()
@grouped
def init(
    data: Data,
    *,
    label: Annotated[str | None, typer.Option(help="The label column, to be left out.")] = None,
    labels: Annotated[
        str | None, typer.Option(help="Several label columns, to be left out: a,b,c or 'dx_*'.")
    ] = None,
    public: Annotated[
        bool,
        typer.Option(
            "--public",
            help="Every value of the table is public: read borders and categories off it. Never "
            "with private records.",
        ),
    ] = False,
    bins: Annotated[
        int | None, typer.Option(help="With --public: cells of a column at most; default 16.")
    ] = None,
    output: SomeFile = None,
    force: Force = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the declarations as JSON; -o FILE is TOML.")
    ] = False,
    reading: _Reading,
) -> None:
    """Write a schema from the types of a table's columns; no value is looked at.

    What only you can know is marked: declare it from public knowledge, not from the data.
    With --public it is read off a public sample instead, and the schema says so.
    """
    from tacit.sources.words import refuse_unread

    source = reading.open(data)
    types = source.types
    refuse_unread(source, label)
    if label is not None and label not in types:
        raise BadInput(f"{source.name} has no column {label!r}; it has {', '.join(types)}")
    left = set() if label is None else {label}
    if labels is not None:
        from tacit.cli.learn_table import several_names

        left |= set(several_names(labels, list(types)))
    names = [name for name in types if name not in left]
    if not names:
        raise BadInput(f"{source.name} has no column besides the label{'s' * (len(left) > 1)}")
    if bins is not None and not public:
        raise BadInput("--bins needs --public: without it no value is looked at")
    told, text = _of_public(source, names, bins=bins) if public else _of_types(source, names)
    if output is not None:
        with one_output(output, inputs=reading.inputs(data), force=force) as files:
            files["output"].write(text)
    if as_json:
        typer.echo(json.dumps(told, indent=2))
    elif output is None:
        typer.echo(text, nl=False)
    elif public:
        typer.echo(f"written: {output}; `tacit schema check` shows what was read off the table")
    else:
        typer.echo(f"written: {output}; declare what is marked, then `tacit schema check`")


def _of_types(source: Source, names: list[str]) -> tuple[dict[str, Any], str]:
    """What the types of these columns say, and the file to fill in."""
    from tacit.domains.schema_text import write_toml

    required = source.required if isinstance(source, KnowsRequired) else frozenset()
    columns = {name: declaration(source.types[name], required=name in required) for name in names}
    unread = source.unread if isinstance(source, LeavesOut) else {}
    left_out = [
        f"#   {one_line(name)} is of type {one_line(told)}: not read\n"
        for name, told in unread.items()
    ]
    return {"columns": columns}, _HELP + "".join(left_out) + write_toml(columns)


def _of_public(source: Source, names: list[str], *, bins: int | None) -> tuple[dict[str, Any], str]:
    """The borders and categories of a public table, and the file that says so."""
    from tacit.core.numbers import whole
    from tacit.domains import grid_from_public
    from tacit.sources.files import read_table
    from tacit.sources.spelling import used

    cells = whole(16 if bins is None else bins, name="bins", least=2)
    found = grid_from_public(read_table(used(source), names), bins=cells)
    return found.to_dict(), found.to_toml()


def declaration(kind: Any, *, required: bool = False) -> dict[str, Any]:
    """What a column's type says, with a question mark for everything it does not say.

    A ``required`` column cannot hold a missing value. Where its type leaves nothing undeclared
    either, it is complete: whole numbers and truth values. A float may be no number, and a date
    of a database infinite.
    """
    import pyarrow.types as types

    found = _declared(kind)
    whole = kind is not None and (types.is_boolean(kind) or types.is_integer(kind))
    return found | ({"complete": True} if required and whole else {})


def _declared(kind: Any) -> dict[str, Any]:
    import pyarrow.types as types

    from tacit.domains.schema_text import UNDECLARED

    if kind is None:  # a CSV file has no types
        return {"kind": UNDECLARED}
    if types.is_boolean(kind):
        return {"kind": "boolean"}
    if types.is_integer(kind):
        return {"kind": "integer", "low": UNDECLARED, "high": UNDECLARED}
    if types.is_floating(kind) or types.is_decimal(kind):
        return {"kind": "number", "low": UNDECLARED, "high": UNDECLARED}
    if types.is_dictionary(kind) or "string" in str(kind):
        return {"kind": "category", "values": [UNDECLARED]}
    if types.is_date(kind) or types.is_timestamp(kind):
        return {"kind": "date", "low": UNDECLARED, "high": UNDECLARED, "cells": "months"}
    return {"kind": UNDECLARED}  # durations, lists, bytes: no kind fits without a thought


@schema.command()
@grouped
def check(
    path: Annotated[Path, typer.Argument(help="The schema file (TOML).")],
    data: Annotated[
        Path | None,
        typer.Argument(help="The table that it is for: its header is compared, no record read."),
    ] = None,
    *,
    as_json: AsJson = False,
    reading: _Reading,
) -> None:
    """Read a schema file and say what it declares, or what is missing.

    With a table, also whether that has all declared columns, of types that can hold them.
    """
    from tacit.domains.schema import Schema

    read = Schema.of(path)
    impossible = _impossible(path)
    if data is not None:
        _compare(read, reading.open(data))
    elif reading != Reading():
        raise BadInput("options that say how a table is written need the table: name it, too")
    if as_json:
        told = described(read) | ({"impossible": impossible} if impossible else {})
        typer.echo(json.dumps(told, indent=2))
        return
    _show(read)
    for one in impossible:
        said = (f"{one_line(name)} is {' or '.join(values)}" for name, values in one.items())
        typer.echo(f"impossible in a synthetic table: {' and '.join(said)}")


def _impossible(path: Path) -> list[dict[str, list[str]]]:
    """The combinations that cannot be, in words; what no table could keep to is refused."""
    from tacit.cli.sanitize_table import read_queries
    from tacit.domains.schema_text import read_toml

    if "impossible" not in read_toml(path):
        return []
    queries = read_queries(path, kind=None, ways=1, about=None)
    return [
        {name: [_written(value) for value in values] for name, values in combination}
        for combination in queries.impossible
    ]


def _written(value: object) -> str:
    """A declared value as its file has it, on one line."""
    return one_line(str(value).lower() if isinstance(value, bool) else str(value))


def _compare(read: Schema, source: Source) -> None:
    """Refuse a table that lacks a declared column, or whose types cannot hold what is declared."""
    from tacit.sources.files import check_columns
    from tacit.sources.types import check_schema

    check_columns(source, *read.names)
    check_schema(read, source.types, name=source.name)


def _show(read: Schema) -> None:
    from tacit.core.numbers import counted
    from tacit.domains.dates import Date

    for name, field in zip(read.names, read.fields, strict=True):
        typer.echo(f"{one_line(name)}: {field.kind}, {counted(field.cells, 'cell')}")
        if isinstance(field, Date):
            written = field.high.strftime(field.format or "%Y-%m-%d")
            other = "" if field.format else ", or declare format"
            typer.echo(f"  in text files written {written}{other}: anything else is no date")
        if not field.complete:
            typer.echo(f"  apart: {'; '.join(field.apart)}")
        typer.echo(f"  {'; '.join(cells_shown(field))}")
        if field.complete:
            typer.echo("  declared complete: anything else would count as the first cell")


def described(schema: Schema) -> dict[str, Any]:
    """The declarations, and every cell of every column in words."""
    columns = zip(schema.names, schema.fields, strict=True)
    cells = {
        name: {
            "cells": list(field.each),
            "apart": [] if field.complete else list(field.apart),
            "complete": field.complete,
        }
        for name, field in columns
    }
    return {"schema": schema.to_dict(), "cells": cells}


def cells_shown(field: Field) -> list[str]:
    """The declared cells in words; the middle of a long list is left out."""
    cells = list(field.each)
    if len(cells) <= _SHOWN:
        return cells
    left = len(cells) - _SHOWN
    return [*cells[: _SHOWN - 1], f"... {left} more ...", cells[-1]]
