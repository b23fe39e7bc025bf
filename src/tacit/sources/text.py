"""A text table (CSV): strict, one dialect, every cell handed out as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, BinaryIO

import numpy as np
import numpy.typing as npt

from tacit.core import BadInput, SourceChanged
from tacit.sources.dialect import Broken, Dialect, split_record
from tacit.sources.snapshot import Snapshot
from tacit.sources.words import not_a_table

if TYPE_CHECKING:
    import pyarrow as pa

_BLOCK = 1 << 22
_ROWS = 1 << 16
_LONGEST_HEADER = 1 << 20
_MARK = b"\xef\xbb\xbf"

Block = npt.NDArray[np.uint8]


class TextFile:
    """The records of one CSV file.

    The file is well-formed if every record has as many cells as the header, quotes stand
    only around whole cells and are doubled inside them, lines end in LF or CR LF, no line is
    blank, and the bytes are valid UTF-8. Nothing is padded, skipped or guessed.
    """

    def __init__(self, snapshot: Snapshot, dialect: Dialect) -> None:
        self._snapshot, self._dialect = snapshot, dialect
        with snapshot.opened() as file:
            self._names, self._start = _header(file, dialect, name=snapshot.name)

    @property
    def name(self) -> str:
        """The file's name."""
        return self._snapshot.name

    @cached_property
    def types(self) -> dict[str, None]:
        """The columns; a text table has no types."""
        return dict.fromkeys(self._names)

    @cached_property
    def _count(self) -> int:
        try:
            return sum(len(spans) for _, spans, _ in self._records(()))
        except Broken:
            raise not_a_table(self.name) from None

    def check(self, columns: Sequence[str]) -> None:
        """Refuse a file that is not well-formed; one constant message, whatever is broken."""
        del columns  # the whole file is one table
        _ = self._count

    def count(self) -> int:
        """How many records there are."""
        return self._count

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """The cells of these columns as text, in file order; an empty cell is missing."""
        import pyarrow as pa

        quote = self._dialect.marks[1]
        names, seen = list(columns), 0
        try:
            for data, spans, doubled in self._records(tuple(names)):
                seen += len(spans)
                cells = [
                    _cells(data, spans[:, place], doubled[:, place], quote)
                    for place in range(len(names))
                ]
                yield pa.RecordBatch.from_arrays(cells, names=names)
        except Broken:
            seen = -1
        if seen != self._count:
            raise SourceChanged(f"{self.name} changed while it was read; run it again")

    def _records(
        self, columns: tuple[str, ...]
    ) -> Iterator[tuple[Block, npt.NDArray[np.int64], npt.NDArray[np.bool_]]]:
        """Blocks of bytes with the spans of the wanted cells of the records in them."""
        from tacit.sources.scan import MALFORMED, index_records

        slots = np.full(len(self._names), -1, dtype=np.int64)
        for place, name in enumerate(columns):
            slots[self._names.index(name)] = place
        spans = np.empty((_ROWS, len(columns), 2), dtype=np.int64)
        doubled = np.empty((_ROWS, len(columns)), dtype=np.bool_)
        with self._snapshot.opened() as file:
            file.seek(self._start)
            rest, final = b"", False
            while not final:
                # Twice as much when a record is longer than what was read so far.
                block = file.read(max(_BLOCK, 2 * len(rest)))
                final = not block
                data = np.frombuffer(rest + block, dtype=np.uint8)
                start, found = 0, -1
                while found:
                    part = data[start:]
                    state, found, used = index_records(
                        part, final, self._dialect.marks, slots, spans, doubled
                    )
                    if state == MALFORMED or not _is_utf8(part[:used]):
                        raise Broken
                    if found:
                        yield part, spans[:found], doubled[:found]
                    start += used
                rest = data[start:].tobytes()


def _is_utf8(data: Block) -> bool:
    try:
        str(data.data, "utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _cells(
    data: Block, spans: npt.NDArray[np.int64], doubled: npt.NDArray[np.bool_], quote: int
) -> pa.StringArray:
    """One column's cells as an Arrow array of text."""
    import pyarrow as pa

    from tacit.sources.scan import gather

    rows = len(spans)
    offsets, valid = np.empty(rows + 1, dtype=np.int32), np.empty(rows, dtype=np.bool_)
    out = np.empty(int((spans[:, 1] - spans[:, 0]).sum()), dtype=np.uint8)
    gather(data, spans, doubled, quote, offsets, valid, out)
    bitmap = np.packbits(valid, bitorder="little")
    return pa.StringArray.from_buffers(
        rows, pa.py_buffer(offsets), pa.py_buffer(out), pa.py_buffer(bitmap)
    )


def _header(file: BinaryIO, dialect: Dialect, *, name: str) -> tuple[list[str], int]:
    """The column names, which are public, and where the first record begins."""
    data = file.read(_LONGEST_HEADER)
    start = len(_MARK) if data.startswith(_MARK) else 0
    try:
        cells, used = split_record(data[start:], dialect)
        names = [cell.decode("utf-8") for cell in cells]
    except (Broken, UnicodeDecodeError):
        names, used = [], 0
    if not any(names) or len(set(names)) != len(names) or used == _LONGEST_HEADER - start:
        raise BadInput(f"{name}: the first line must name the columns, each differently")
    return names, start + used
