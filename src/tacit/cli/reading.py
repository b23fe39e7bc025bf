"""The options that say how a data file is written, the same for every command."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from tacit.cli.groups import Panel
from tacit.core import BadInput, Source
from tacit.core.addresses import shown

Data = Annotated[
    Path,
    typer.Argument(
        help="A .csv, .tsv, .csv.gz, .parquet, .feather or .xlsx file, or a database with --table: "
        "postgresql://host/name, spark://host:port or sc://host:port."
    ),
]
_SERVERS = ("postgresql:/", "postgres:/")
_SPARK = ("spark:/", "sc:/")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How a data file is written, or where else the records are."""

    delimiter: Annotated[
        str | None, typer.Option(help="Between cells, such as ';' or tab; default ','.")
    ] = None
    decimal: Annotated[str, typer.Option(help="The mark in numbers: '.' or ','.")] = "."
    encoding: Annotated[str, typer.Option(help="utf-8, utf-16, latin-1, cp1252, ...")] = "utf-8"
    quote: Annotated[
        str, typer.Option(help="Around cells; none: one line is one record, whatever it holds.")
    ] = '"'
    sheet: Annotated[str | None, typer.Option(help="Of a workbook; default: the first.")] = None
    glob: Annotated[
        bool,
        typer.Option("--glob", help="The name is a pattern: read all files that match."),
    ] = False
    table: Annotated[
        str | None, typer.Option(help="Of a database: postgresql://host/name --table people.")
    ] = None
    query: Annotated[
        str | None,
        typer.Option(
            help="Of a database: SELECT columns FROM one table WHERE conditions; with conditions "
            "the number of rows is private (--relation add-remove)."
        ),
    ] = None
    engine: Annotated[
        str | None,
        typer.Option(
            help="spark: let Spark read a Parquet path or, with --table, a table that it knows."
        ),
    ] = None

    def public(self, path: Path | None) -> Source | None:
        """The file of public records, written as the private one is."""
        if path is None:
            return None
        return replace(self, table=None, query=None, engine=None, glob=False).open(path)

    def open(self, data: Path) -> Source:
        """The records; where there are several files, prints their number and names."""
        from tacit.sources.opening import read

        if self.engine not in (None, "spark"):
            raise BadInput("--engine takes spark; files and PostgreSQL need none")
        spark = self.engine is not None or str(data).startswith(_SPARK)
        if self.query is not None and (spark or not str(data).startswith(_SERVERS)):
            raise BadInput("--query is for a Postgres address: postgresql://host/name")
        if spark:
            return self._in_spark(str(data))
        if self.table is not None or str(data).startswith(_SERVERS):
            return self._on_a_server(str(data))
        source = read(
            data,
            delimiter=self.delimiter,
            decimal=self.decimal,
            encoding=self.encoding,
            quote=None if self.quote == "none" else self.quote,
            sheet=self.sheet,
            glob=self.glob,
        )
        if self.glob:
            typer.echo(f"reading {source.name}", err=True)
        return source

    def _on_a_server(self, address: str) -> Source:
        from tacit.sources.postgres import PostgresTable

        # A path keeps one of the two strokes of an address.
        scheme, _, rest = address.partition(":/")
        return PostgresTable(f"{scheme}://{rest.lstrip('/')}", table=self.table, query=self.query)

    def _in_spark(self, data: str) -> Source:
        from tacit.sources.spark import open_spark

        if data.startswith(_SPARK):
            scheme, _, rest = data.partition(":/")
            return open_spark(address=f"{scheme}://{rest.lstrip('/')}", table=self.table)
        if self.table is None and not data.endswith((".parquet", "/")) and not Path(data).is_dir():
            raise BadInput(
                f"{shown(data)}: Spark reads Parquet here; leave out --engine for other files"
            )
        if self.table is not None:
            return open_spark(table=self.table)
        # Spark's own folder is not ours: a local path must be whole.
        return open_spark(path=str(Path(data).resolve()) if Path(data).exists() else data)

    def inputs(self, data: Path) -> dict[str, Path | None]:
        """The files that are read, for the check that none of them is written."""
        from tacit.sources.opening import matching

        if data.is_dir() and (self.table is not None or self.query is not None):
            return {"data": None}  # the table is read, wherever it is: the folder only stands there
        if not self.glob:
            # Spark takes a file of this machine by its address, too.
            return {"data": data if data.exists() else Path(str(data).removeprefix("file:"))}
        return {f"data {place + 1}": path for place, path in enumerate(matching(data))}


ReadingOptions = Annotated[Reading, Panel("How the file is written, or which table it is")]
