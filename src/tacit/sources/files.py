"""CSV and Parquet files, scanned by DuckDB when a mechanism asks."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

from tacit.core import BadInput

_READERS = {".csv": "read_csv", ".tsv": "read_csv", ".parquet": "read_parquet"}


def _reader(path: Path, *, as_text: tuple[str, ...] = ()) -> tuple[str, list[Any]]:
    """A table function over the file, and its parameters."""
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        raise BadInput(f"{path.name}: only .csv, .tsv and .parquet files can be read")
    if not path.is_file():
        raise BadInput(f"{path.name}: there is no such file")
    if reader == "read_csv" and as_text:
        # Numbers too long for a machine word keep every digit as text.
        return "read_csv(?, types=?, ignore_errors=false)", [
            str(path),
            dict.fromkeys(as_text, "VARCHAR"),
        ]
    return f"{reader}(?)", [str(path)]


def _ask(path: Path, query: str, *, as_text: tuple[str, ...] = ()) -> Any:
    import duckdb

    reader, parameters = _reader(path, as_text=as_text)
    connection = duckdb.connect(":memory:")
    try:
        return connection.sql(query.format(reader=reader), params=parameters).to_arrow_table()
    except duckdb.Error:
        # DuckDB quotes the offending line of the file; that line is private.
        raise BadInput(f"{path.name}: the file cannot be read as a table") from None
    finally:
        connection.close()


def columns(path: Path) -> list[str]:
    """The column names of a file: public."""
    return [str(name) for name in _ask(path, "SELECT * FROM {reader} LIMIT 0").column_names]


def count(path: Path) -> int:
    """How many records a file has."""
    return int(_ask(path, "SELECT count(*) AS n FROM {reader}").column("n")[0].as_py())


def check_columns(path: Path, *wanted: str) -> None:
    """Refuse a column that the file does not have."""
    known = columns(path)
    for name in wanted:
        if name not in known:
            raise BadInput(f"{path.name} has no column {name!r}; it has {', '.join(known)}")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""').replace("{", "{{").replace("}", "}}") + '"'


def read_column(path: Path, name: str, *, exact: bool = False) -> Any:
    """One column as a numpy array, in file order; ``exact`` keeps long integers as text."""
    as_text = (name,) if exact and path.suffix.lower() != ".parquet" else ()
    table = _ask(path, "SELECT " + _quoted(name) + " FROM {reader}", as_text=as_text)  # noqa: S608 - quoted
    return table.column(0).to_numpy(zero_copy_only=False)


class FileSample:
    """A ``Sample`` whose values are read when first asked for, after the charge."""

    def __init__(
        self, path: Path, *, columns: tuple[str, ...], label: str, positive: object, exact: bool
    ) -> None:
        check_columns(path, *columns, label)
        self._path, self._columns, self._label, self._exact = path, columns, label, exact
        self.positive = positive

    @cached_property
    def _size(self) -> int:
        return count(self._path)

    @cached_property
    def x(self) -> Any:
        import numpy as np

        read = [read_column(self._path, name, exact=self._exact) for name in self._columns]
        return read[0] if len(read) == 1 else np.stack(read, axis=1)

    @cached_property
    def y(self) -> Any:
        return read_column(self._path, self._label)

    def __len__(self) -> int:
        return self._size

    def __repr__(self) -> str:
        return "FileSample(private)"

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("a sample holds private records and is not pickled; pass a path instead")
