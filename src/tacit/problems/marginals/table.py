"""A synthetic table of several columns: what is released, and the files it becomes."""

from __future__ import annotations

import base64
import hashlib
import zlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.core import BadInput
from tacit.core.display import html_of
from tacit.core.numbers import counted
from tacit.domains.schema import Schema
from tacit.problems.marginals.values import WORDS, column_of

Cells = npt.NDArray[np.int32]
MOST_ROWS = 10**7
_MOST_BYTES = 1 << 30
_PACKED = 4
"""How hard cells are packed: 9 takes forty times as long and saves two in a hundred."""
_LONG = 1 << 22
"""From so many bytes on two threads pack one half each."""
SUFFIXES = (".csv", ".parquet", ".arrow", ".feather")


@dataclass(frozen=True, slots=True, eq=False)
class SyntheticRows:
    """Rows over the cells of a public schema; ``cells`` has one row a record.

    Made from released numbers by public rules, so it may be published whole.
    """

    schema: Schema
    cells: Cells

    def __len__(self) -> int:
        return len(self.cells)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, SyntheticRows)
            and self.schema == other.schema
            and np.array_equal(self.cells, other.cells)
        )

    def __hash__(self) -> int:
        return hash((self.schema, self.digest))

    def __repr__(self) -> str:
        return f"SyntheticRows({counted(len(self), 'row')}, {self.schema!r})"

    @property
    def digest(self) -> str:
        """The SHA-256 of all cells, row after row, each as two bytes."""
        return _digest(self._bytes())

    def _bytes(self) -> bytes:
        return np.ascontiguousarray(self.cells).astype("<u2").tobytes()

    def describe(self, *, column: str | None = None) -> str:
        """The table in words."""
        del column
        names = ", ".join(self.schema.told)
        return (
            f"a synthetic table of {counted(len(self), 'row')} and "
            f"{counted(self.schema.width, 'column')} ({names}). {WORDS}"
        )

    def _repr_html_(self) -> str:
        return html_of(self)

    def to_arrow(self) -> Any:
        """An Arrow table with the declared types."""
        import pyarrow as pa

        return pa.table(
            {
                name: column_of(one, self.cells[:, place])
                for place, (name, one) in enumerate(
                    zip(self.schema.names, self.schema.fields, strict=True)
                )
            }
        )

    def to_pandas(self) -> Any:
        """A pandas frame."""
        return self.to_arrow().to_pandas()

    def write(self, path: str | Path) -> None:
        """Write as ``.csv``, ``.parquet``, ``.arrow`` or ``.feather``, whole or not at all."""
        import pyarrow.csv
        import pyarrow.feather
        import pyarrow.parquet

        target = Path(path)
        part = target.with_name(target.name + ".part")
        try:
            match target.suffix:
                case ".csv":
                    pyarrow.csv.write_csv(self.to_arrow(), part)
                case ".parquet":
                    pyarrow.parquet.write_table(self.to_arrow(), part)
                case ".arrow" | ".feather":
                    pyarrow.feather.write_feather(self.to_arrow(), str(part))
                case _:
                    raise BadInput(f"a synthetic table is written as {', '.join(SUFFIXES)}")
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)

    def to_dict(self) -> dict[str, object]:
        """A JSON-ready form that holds every row."""
        cells = self._bytes()
        return {
            "kind": "synthetic-rows",
            "schema": self.schema.to_dict(),
            "rows": len(self),
            "cells": base64.b64encode(_pack(cells)).decode("ascii"),
            "digest": _digest(cells),
        }


def _digest(cells: bytes) -> str:
    return hashlib.sha256(cells).hexdigest()


def _pack(cells: bytes) -> bytes:
    """One zlib stream that holds these bytes."""
    if len(cells) < _LONG:
        return zlib.compress(cells, _PACKED)
    middle = len(cells) // 2
    halves = memoryview(cells)[:middle], memoryview(cells)[middle:]
    with ThreadPoolExecutor(2) as threads:
        blocks = threads.map(_deflated, halves, (zlib.Z_FULL_FLUSH, zlib.Z_FINISH))
        # RFC 1950: a header of two bytes, deflated blocks, and the checksum of what they hold.
        header, checksum = zlib.compress(b"", _PACKED)[:2], zlib.adler32(cells).to_bytes(4, "big")
        return b"".join((header, *blocks, checksum))


def _deflated(cells: memoryview, end: int) -> bytes:
    """Deflated blocks without header and checksum, so that those of the next half may follow."""
    packing = zlib.compressobj(_PACKED, wbits=-zlib.MAX_WBITS)
    return packing.compress(cells) + packing.flush(end)


def rows_from_dict(record: Any) -> SyntheticRows:
    """Read back what ``SyntheticRows.to_dict`` wrote; a damaged record is refused."""
    try:
        schema, rows = Schema.of(record["schema"]), record["rows"]
        if record["kind"] != "synthetic-rows" or type(rows) is not int or rows < 0:
            raise ValueError
        size = 2 * rows * schema.width
        if rows > MOST_ROWS or size > _MOST_BYTES:
            raise ValueError
        unpacking = zlib.decompressobj()
        found = unpacking.decompress(base64.b64decode(record["cells"], validate=True), size + 1)
        if len(found) != size or not unpacking.eof:
            raise ValueError
        cells = np.frombuffer(found, dtype="<u2").reshape(rows, schema.width).astype(np.int32)
        if rows and bool((cells >= np.array(schema.cells)).any()):
            raise ValueError
        table = SyntheticRows(schema, cells)
        if table.digest != record["digest"]:
            raise ValueError
    except (ArithmeticError, LookupError, TypeError, ValueError, zlib.error):
        raise BadInput("the synthetic table is damaged") from None
    return table


def most_rows(schema: Schema) -> int:
    """How many rows a table of these columns may have: what a release file can hold."""
    return max(1, min(MOST_ROWS, (1 << 24) // schema.width))
