"""``tacit doctor``: what is installed and missing, and what is wrong with a file."""

from __future__ import annotations

import os
import sys
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tacit.cli.groups import grouped
from tacit.cli.reading import Reading, ReadingOptions
from tacit.core import BadInput

if TYPE_CHECKING:
    from tacit.core import Source

_NEEDED = [
    "numpy",
    "scipy",
    "numba",
    "python-flint",
    "cryptography",
    "scikit-learn",
    "pyarrow",
    "rich",
    "typer",
]
_OPTIONAL = {
    "python-calamine": ("reads .xlsx files", "excel"),
    "pandas": ("data frames", "plots"),
    "polars": ("data frames", ""),
    "altair": ("plots", "plots"),
    "starlette": ("the page of tacit serve", "page"),
    "uvicorn": ("the page of tacit serve", "page"),
    "jinja2": ("the page of tacit serve", "page"),
    "vl-convert-python": ("plots as .svg and .png", "plots"),
    "pyspark": ("reads from Spark", "spark"),
}
"""Packages that Tacit can do without: what each is for, and the extra that brings it."""


@grouped
def doctor(
    data: Annotated[
        Path | None,
        typer.Argument(
            help="A file or a database address to look at; without one, the installation."
        ),
    ] = None,
    *,
    reading: ReadingOptions,
    schema: Annotated[
        Path | None,
        typer.Option(help="Public schema (TOML): also say whether cells fit what it declares."),
    ] = None,
) -> None:
    """Say what is installed and what is missing, or what is wrong with a file.

    What is said about a file is private: it is about single records, for their owner.
    With --schema, also whether most cells of each column fit what is declared.

    Of a table of a database: which columns are read, and how many records there are.

    Exit codes: 0 all is well, 2 something is wrong.
    """
    if data is None:
        if schema is not None or reading != Reading():
            raise BadInput("these options are about a file: name it, too")
        raise typer.Exit(_installation())
    wrong = _file(data, reading)
    if schema is not None and wrong == 0:
        wrong = _fits(reading.open(data), schema)
    raise typer.Exit(wrong)


def _file(data: Path, reading: Reading) -> int:
    from tacit.core.printable import one_line
    from tacit.core.source import LeavesOut
    from tacit.sources.diagnose import MOST, diagnose
    from tacit.sources.files import Distributed

    source = reading.open(data)
    typer.echo(f"{source.name}: {len(source.types)} columns")
    for name, kind in source.types.items():
        typer.echo(f"  {one_line(name)}" + ("" if kind is None else f": {kind}"))
    for name, told in (source.unread if isinstance(source, LeavesOut) else {}).items():
        typer.echo(f"  {one_line(name)} is of type {one_line(told)}: not read")
    if isinstance(source, Distributed):
        source.check(list(source.types))
        typer.echo(f"\nPRIVATE, for the owner of the table: {source.count()} records")
        return 0
    typer.echo("\nPRIVATE, for the owner of the file: what follows is about single records.")
    found = diagnose(source)
    if not found:
        typer.echo(f"{source.count()} records; the file is one well-formed table")
        return 0
    for one in found:
        typer.echo(f"  {one}")
    if len(found) == MOST:
        typer.echo(f"  ... only the first {MOST} are told")
    if reading.quote == "none":
        typer.echo("Without quotes these are records of unreadable cells; nothing is refused.")
        return 0
    typer.echo("The file is refused as a whole until these are mended.")
    return 2


def _fits(source: Source, path: Path) -> int:
    """Say of each declared column whether its cells fit: in words, not in numbers."""
    from tacit.core.printable import one_line
    from tacit.domains.schema import Schema
    from tacit.sources.files import read_table, table_reading
    from tacit.sources.spelling import used

    schema = Schema.of(path)
    reading = table_reading(source, schema=schema)
    table = read_table(used(source, words=reading.words), reading.names)
    cells = schema.coerce(reading.features(table))
    none = 0
    for place, (name, field) in enumerate(zip(schema.names, schema.fields, strict=True)):
        fitting = int((cells[:, place] >= field.extra).sum())
        none += fitting == 0
        told = "fewer than half of the cells fit" if 2 * fitting < len(cells) else "most cells fit"
        told = "NO cell fits what is declared" if fitting == 0 else told
        typer.echo(f"  {one_line(name)}: {told}")
    typer.echo(
        "Missing cells do not fit. Correct with this how cells are written (format, --decimal, "
        "spelling), but never ranges or values: those must not be read off the records."
    )
    return 2 if none else 0


def _installation() -> int:
    from tacit import __version__

    typer.echo(f"tacit {__version__}, Python {sys.version.split()[0]}, {sys.platform}\n")
    missing = 0
    for name in _NEEDED:
        version = _version(name)
        missing += version is None
        typer.echo(f"  {name:<18} {version or 'MISSING: tacit cannot work without it'}")
    typer.echo("\nNot needed for everything:")
    for name, (what, extra) in _OPTIONAL.items():
        bring = f"pip install 'tacit[{extra}]'" if extra else f"pip install {name}"
        typer.echo(f"  {name:<18} {_version(name) or f'missing ({bring})'}: {what}")
    typer.echo(f"\nCompiled code is kept: {'yes' if _keeps() else 'no, every start compiles anew'}")
    return 2 if missing else 0


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _keeps() -> bool:
    """Whether there is a folder that compiled code can be written to."""
    import tacit

    folders = [Path(tacit.__file__ or ".").parent, Path.home()]
    declared = os.environ.get("NUMBA_CACHE_DIR")
    return any(os.access(one, os.W_OK) for one in ([Path(declared)] if declared else folders))
