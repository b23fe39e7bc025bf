"""From a path to its records: exactly the named file, in exactly the declared dialect."""

from __future__ import annotations

import glob as patterns
import os
from os import PathLike
from pathlib import Path

from tacit.core import BadInput, Source
from tacit.core.addresses import looks_like_address, shown
from tacit.sources.dialect import Dialect
from tacit.sources.several import SeveralFiles
from tacit.sources.sheet import SheetFile
from tacit.sources.snapshot import Snapshot
from tacit.sources.text import TextFile
from tacit.sources.typed import Feather, Format, Parquet, TypedFile

_TEXT = {".csv": ",", ".tsv": "\t"}
_TYPED: dict[str, Format] = {".parquet": Parquet(), ".feather": Feather()}
KINDS = ".csv, .tsv (also .gz), .parquet, .feather and .xlsx"


def read(
    path: str | PathLike[str],
    *,
    delimiter: str | None = None,
    decimal: str = ".",
    encoding: str = "utf-8",
    quote: str | None = '"',
    sheet: str | None = None,
    glob: bool = False,
) -> Source:
    """Open one file for ``learn``, ``sanitize`` and ``fit_file``; only its header is read.

    ``path``       a .csv, .tsv, .csv.gz, .parquet, .feather or .xlsx file. The name is taken
                   as it is: ``*`` and ``[1]`` are letters.
    ``delimiter``  of a text file; by default a comma, and a tab in .tsv.
    ``decimal``    the mark in numbers, "." or ",".
    ``encoding``   of a text file: utf-8, utf-16, or one of one byte a character.
    ``quote``      of a text file. With ``None`` every line is one record whatever it holds.
    ``sheet``      of a workbook; by default the first.
    ``glob``       ``path`` is a pattern, or a folder: all files that match or lie in it, in the
                   order of their names; none of them twice, also by another name.

    A file that is not one well-formed table is refused as a whole before the charge, in words
    that do not depend on what it holds.
    """
    if not glob:
        if not Path(path).exists():
            _refuse_address(path)
        if Path(path).is_dir():
            raise BadInput(
                f"{Path(path).name or path} is a folder: --glob reads all files in it as one table"
            )
        return _one(Path(path), delimiter, decimal, encoding, quote, sheet)
    found = matching(path)
    if not found:
        _refuse_address(path)
        raise BadInput(f"no file matches {str(path)!r}")
    _refuse_one_file_twice(found)
    parts = [_one(one, delimiter, decimal, encoding, quote, sheet) for one in found]
    return SeveralFiles(parts)


def matching(path: str | PathLike[str]) -> list[Path]:
    """The files that a pattern names or that lie in a folder, in the order of their names."""
    inside = Path(patterns.escape(str(path))) / "*"
    pattern = str(inside) if Path(path).is_dir() else str(path)
    return [Path(one) for one in sorted(set(patterns.glob(pattern, recursive=True)))]


def _refuse_address(path: str | PathLike[str]) -> None:
    """Refuse what is an address of another kind than those that are read, or mistyped."""
    name = os.fspath(path)
    if looks_like_address(name):
        raise BadInput(
            f"{shown(name)}: no such file; the addresses that commands read begin with "
            "postgresql://, spark:// or sc://"
        )


def _refuse_one_file_twice(found: list[Path]) -> None:
    """Refuse links: whoever is in such a file would be counted twice, and protected half."""
    seen: dict[tuple[int, int], Path] = {}
    for path in found:
        try:
            place = os.stat(path)
        except OSError:
            continue  # said where it is opened
        other = seen.setdefault((place.st_dev, place.st_ino), path)
        if other is not path:
            raise BadInput(f"{other} and {path} are one file: every record would count twice")


def _one(
    path: Path,
    delimiter: str | None,
    decimal: str,
    encoding: str,
    quote: str | None,
    sheet: str | None,
) -> Source:
    suffixes = [suffix.lower() for suffix in path.suffixes[-2:]]
    packed = suffixes[-1:] == [".gz"]
    kind = suffixes[-2] if packed and len(suffixes) == 2 else "".join(suffixes[-1:])
    if kind not in (*_TEXT, *(() if packed else (*_TYPED, ".xlsx"))):
        raise BadInput(f"{path.name or path}: only {KINDS} files can be read")
    textual = {"--delimiter": delimiter, "--encoding": encoding != "utf-8", "--quote": quote != '"'}
    if kind not in _TEXT:
        for option, given in {**textual, "--decimal": decimal != "."}.items():
            if given:
                raise BadInput(f"{option} is for text files; {path.name} is none")
    if sheet is not None and kind != ".xlsx":
        raise BadInput(f"--sheet is for .xlsx files; {path.name} is none")
    snapshot = Snapshot(path)
    if kind in _TYPED:
        return TypedFile(snapshot, _TYPED[kind])
    if kind == ".xlsx":
        return SheetFile(snapshot, sheet=sheet)
    marks = Dialect(
        delimiter=_TEXT[kind] if delimiter is None else delimiter,
        quote=quote,
        decimal=decimal,
        encoding=encoding,
    )
    return TextFile(snapshot, marks, packed=packed, declared=delimiter is not None)
