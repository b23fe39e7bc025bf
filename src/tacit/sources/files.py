"""CSV and Parquet files, scanned by DuckDB when a mechanism asks.

A Parquet column has a type of its own, which is public. A CSV file has none, and a
guessed one would depend on every record: a single word among the numbers would turn
them all into text. So CSV cells are read as text under a fixed dialect and each one is
placed by itself.
"""

from __future__ import annotations

import csv
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.core import BadInput
from tacit.domains.columns import as_array
from tacit.domains.fields import as_floats
from tacit.domains.labels import equals

_SEPARATORS = {".csv": ",", ".tsv": "\t"}


def _unreadable(path: Path) -> BadInput:
    return BadInput(f"{path.name}: the file cannot be read as a table")


def _is_text(path: Path) -> bool:
    """Whether the file is CSV; refuses what is neither CSV nor Parquet, or not there."""
    kind = path.suffix.lower()
    if kind not in (*_SEPARATORS, ".parquet"):
        raise BadInput(f"{path.name}: only .csv, .tsv and .parquet files can be read")
    if not path.is_file():
        raise BadInput(f"{path.name}: there is no such file")
    return kind in _SEPARATORS


def _header(path: Path) -> list[str]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as lines:
            names = next(csv.reader(lines, delimiter=_SEPARATORS[path.suffix.lower()]), [])
    except (OSError, UnicodeDecodeError, csv.Error):
        raise _unreadable(path) from None
    if not names or len(set(names)) != len(names):
        raise BadInput(f"{path.name}: the first line must name the columns, each differently")
    return names


def _ask(path: Path, columns: str, parameters: tuple[object, ...] = ()) -> Any:
    """``SELECT columns`` over the whole file, in file order, as an Arrow table."""
    import duckdb

    if _is_text(path):
        reader = (
            "read_csv(?, auto_detect=false, header=true, delim=?, quote='\"', escape='\"', "
            # In parallel, one quoted line break would make a long file unreadable.
            "columns=?, null_padding=true, parallel=false)"
        )
        names = dict.fromkeys(_header(path), "VARCHAR")
        source: tuple[object, ...] = (str(path), _SEPARATORS[path.suffix.lower()], names)
    else:
        reader, source = "read_parquet(?)", (str(path),)
    connection = duckdb.connect(":memory:")
    try:
        query = f"SELECT {columns} FROM {reader}"  # noqa: S608 - names are quoted, values bound
        return connection.sql(query, params=[*parameters, *source]).to_arrow_table()
    except duckdb.Error:
        # DuckDB quotes the offending line of the file; that line is private.
        raise _unreadable(path) from None
    finally:
        connection.close()


def columns(path: Path) -> list[str]:
    """The column names of a file: public."""
    if _is_text(path):
        return _header(path)
    import pyarrow.parquet

    try:
        return [str(name) for name in pyarrow.parquet.read_schema(path).names]
    except (OSError, ValueError):
        raise _unreadable(path) from None


def count(path: Path) -> int:
    """How many records a file has."""
    return int(_ask(path, "count(*) AS n").column("n")[0].as_py())


def check_columns(path: Path, *wanted: str) -> None:
    """Refuse a column that the file does not have."""
    known = columns(path)
    for name in wanted:
        if name not in known:
            raise BadInput(f"{path.name} has no column {name!r}; it has {', '.join(known)}")


def quoted(name: str) -> str:
    """A column name as SQL writes it."""
    return '"' + name.replace('"', '""') + '"'


def read_column(path: Path, name: str, *, exact: bool = False) -> Any:
    """One column as a numpy array, in file order, each cell read by itself.

    From CSV a cell becomes a float (NaN if it is no number); ``exact`` keeps the text,
    and so every digit of a long integer.
    """
    cell = quoted(name)
    if _is_text(path) and not exact:
        # Without the trim, DuckDB casts while it parses, and then a word is an error.
        cell = f"TRY_CAST(trim({cell}) AS DOUBLE)"
    return as_array(_ask(path, cell).column(0))


def read_labels(path: Path, name: str, positive: object) -> npt.NDArray[np.bool_]:
    """Which cells equal the public value ``positive``, as text or as a number.

    The words for a truth value may be written in any case.
    """
    if not _is_text(path):
        return equals(read_column(path, name), positive)
    cell, text = f"trim({quoted(name)})", str(positive)
    if isinstance(positive, bool):
        cell, text = f"lower({cell})", text.lower()
    number = float(positive) if isinstance(positive, (int, float)) else None
    same = (
        f"coalesce({cell} = ?, false) "
        f"OR coalesce(TRY_CAST({cell} AS DOUBLE) = CAST(? AS DOUBLE), false)"
    )
    answers = _ask(path, same, (text, number))
    return np.asarray(answers.column(0).to_numpy(zero_copy_only=False), dtype=bool)


class FileSample:
    """A ``Sample`` whose values are read when first asked for, after the charge.

    ``low`` is the public value that stands for 0 of the domain.
    """

    def __init__(
        self,
        path: Path,
        *,
        columns: tuple[str, ...],
        labels: tuple[str, ...] = (),
        positive: object = 1,
        exact: bool,
        low: int = 0,
    ) -> None:
        check_columns(path, *columns, *labels)
        self._path, self._columns, self._labels, self._exact = path, columns, labels, exact
        self._positive, self._low = positive, low
        if low and exact:
            raise BadInput("a range this wide must begin at 0")

    @property
    def positive(self) -> bool:
        """``y`` holds truth values already."""
        return True

    @cached_property
    def _size(self) -> int:
        return count(self._path)

    @cached_property
    def x(self) -> Any:
        read = [read_column(self._path, name, exact=self._exact) for name in self._columns]
        if self._low:
            read = [as_floats(column) - self._low for column in read]
        return read[0] if len(read) == 1 else np.stack(read, axis=1)

    @cached_property
    def y(self) -> npt.NDArray[np.bool_] | None:
        if not self._labels:
            return None
        read = [read_labels(self._path, name, self._positive) for name in self._labels]
        return read[0] if len(read) == 1 else np.stack(read, axis=1)

    @property
    def tasks(self) -> int:
        """How many label columns there are: public."""
        return len(self._labels)

    def __len__(self) -> int:
        return self._size

    def __repr__(self) -> str:
        return "FileSample(private)"

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("a sample holds private records and is not pickled; pass a path instead")
