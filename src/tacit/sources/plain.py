"""Columns of numbers in a Parquet file that are read, or seen to be sound, without Arrow.

Most files hold numbers in one way: pages packed with Snappy or not at all, the values as they
are or as codes of a dictionary, none missing. What one can stumble over is then little: a
header, the lengths of packed pieces, a code beyond the dictionary. All of it can be seen without
decoding a value; and decoding takes less than half of the time that Arrow needs, which is ready
for everything. Whatever is written in another way is ``Unusual``, and left to Arrow.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO

from tacit.sources import chunks, footer
from tacit.sources.chunks import Chunk, Pages, Rooms, Unusual
from tacit.sources.kept import Narrow
from tacit.sources.pages import Words

if TYPE_CHECKING:
    import pyarrow as pa

_KINDS = {1: "int32", 2: "int64", 4: "float", 5: "double"}
"""What Arrow calls numbers that are stored as they are, by the numbers of their types in a file."""
_WHOLE = (1, 2)
_UNPACKED, _SNAPPY = 0, 1
_AHEAD, _LEAST = 1 << 23, 1 << 20
"""Bytes that are read at a time, of all columns and of one: with fewer, threads wait for each other
more often; with more, they leave the memory that is near before they are unpacked.
"""


class PlainGroups:
    """Some columns of a Parquet file, whose row groups may be written in the known way.

    One row group is read at a time.
    """

    __slots__ = ("_found", "_kinds", "_levels", "_names", "_places", "_rooms", "_rows")

    def __init__(
        self, file: BinaryIO, table: Any, names: Sequence[str], *, ahead: int | None = None
    ) -> None:
        """From what a Parquet file says of these columns, which Arrow has opened as ``table``.

        At least ``ahead`` bytes of a column are read at a time; where it is not said, many.
        """
        said, self._names = table.metadata, list(names)
        self._kinds = [table.schema_arrow.field(name).type for name in names]
        columns = [table.schema.column(place) for place in range(said.num_columns)]
        paths = [column.path for column in columns]
        once = all(paths.count(name) == 1 for name in names) and sys.byteorder == "little"
        self._places = [paths.index(name) for name in names] if once else []
        self._levels = [columns[place] for place in self._places]
        self._rows = [said.row_group(group).num_rows for group in range(said.num_row_groups)]
        most = max(_LEAST, _AHEAD // max(1, len(names)))
        self._rooms = [Rooms(ahead or most) for _ in names]
        self._found: footer.Found | None = None
        if any(str(kind) in _KINDS.values() for kind in self._kinds):
            # Fewer columns may be read after a charge, when nothing may be compiled any more.
            chunks.prepare()
            footer.prepare()
            self._found = footer.find_chunks(file, said.num_row_groups, said.num_columns)

    def sound(self, file: BinaryIO, group: int) -> bool:
        """Whether it is seen that the columns of a row group can be read, by ``batches`` and by
        Arrow; ``Damaged`` if it is seen that they must not be.
        """
        try:
            for chunk in self._chunks(group):
                Pages(file, chunk, self._rooms[0]).prove()
        except Unusual:
            return False
        return True

    def batches(self, file: BinaryIO, group: int, rows: int) -> Iterator[Narrow]:
        """The columns of a row group, so many records at a time; ``Unusual`` where it ends too
        early.
        """
        import pyarrow as pa

        left = self._rows[group]
        columns = list(map(partial(Pages, file), self._chunks(group), self._rooms))
        schema = pa.schema(list(zip(self._names, self._kinds, strict=True)))
        while left:
            count = min(rows, left)
            taken = [pages.take(count) for pages in columns]
            yield Narrow(tuple(map(_array, taken, self._kinds)), schema)
            left -= count

    def _chunks(self, group: int) -> list[Chunk]:
        """Where the columns of a row group lie, if what the file says of them is not unusual."""
        if not self._places or self._found is None:
            raise Unusual
        every = zip(self._places, self._levels, self._kinds, strict=True)
        found, rows = self._found[group], self._rows[group]
        return [_chunk(found[place].tolist(), rows, *said) for place, *said in every]


def _chunk(found: list[int], rows: int, levels: Any, kind: pa.DataType) -> Chunk:
    """Where a column lies: one that holds numbers as they are, no lists, in one file."""
    known = _KINDS.get(found[footer.TYPE]) == str(kind) and found[footer.VALUES] == rows
    packed, size = found[footer.CODEC], found[footer.SIZE]
    if not known or found[footer.ELSEWHERE] == 1 or packed not in (_UNPACKED, _SNAPPY):
        raise Unusual
    if levels.max_repetition_level != 0 or levels.max_definition_level > 1:
        raise Unusual
    counted = found[footer.REPEATS], found[footer.LEVELS]
    fits = zip(counted, (1, levels.max_definition_level + 1), strict=True)
    if found[footer.LETTERS] != -1 or not all(one in (-1, 0, most) for one, most in fits):
        raise Unusual  # Arrow refuses it
    start, first = found[footer.DATA], found[footer.DICTIONARY]
    start = min(start, first) if first != -1 else start
    if start < 0 or size < 0:
        raise Unusual
    optional = levels.max_definition_level == 1
    whole, packed = found[footer.TYPE] in _WHOLE, packed == _SNAPPY
    return Chunk(start, size, rows, kind.bit_width // 8, whole, optional, packed)


def _array(words: Words, kind: pa.DataType) -> pa.Array:
    """Words as an Arrow array: of this type if they are as long, else of whole numbers."""
    import pyarrow as pa

    shown = kind if 8 * words.itemsize == kind.bit_width else pa.from_numpy_dtype(words.dtype)
    return pa.Array.from_buffers(shown, len(words), [None, pa.py_buffer(words)])
