"""Columns of numbers in a Parquet file that are seen to be sound without decoding them.

Most files hold numbers in one way: pages packed with Snappy or not at all, the values as they
are or as codes of a dictionary, none missing. What Arrow can stumble over is then little: a
header, the lengths of packed pieces, a code beyond the dictionary. All of it is looked at here,
and a value never is. Whatever is written in another way is ``Unusual``: only decoding tells.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from tacit.sources import pages
from tacit.sources.pages import Bytes

if TYPE_CHECKING:
    import pyarrow as pa

_DATA, _DICTIONARY = 0, 2
_PLAIN, _CODED, _RUNS = 0, (2, 8), 3
_WINDOW, _HEADER = 1 << 18, 1 << 12
_MOST = 1 << 26
"""Bytes or values of a page; a longer one is decoded."""
_HEAD = 64
"""So many bytes of a page are looked at for its levels, which are one short run."""
_WIDTHS = {"INT32": 4, "INT64": 8, "FLOAT": 4, "DOUBLE": 8}


class _Unusual(Exception):
    """A column is not written in the one way that is known here, or is damaged."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Where a column of one row group lies in a file, and how it is written."""

    start: int
    size: int
    rows: int
    width: int
    optional: bool
    packed: bool


@dataclass(frozen=True, slots=True)
class PlainGroups:
    """The row groups of a file whose columns may be written in the known way, by number."""

    groups: dict[int, list[Chunk]]

    @classmethod
    def of(cls, table: Any, names: Sequence[str]) -> PlainGroups:
        """From what an open Parquet file says of these columns."""
        found, columns = table.metadata, table.schema
        paths = [columns.column(place).path for place in range(found.num_columns)]
        if any(paths.count(name) != 1 for name in names):
            return cls({})
        places = [paths.index(name) for name in names]
        kinds = [table.schema_arrow.field(name).type for name in names]
        groups = {}
        for group in range(found.num_row_groups):
            rows = found.row_group(group)
            chunks = [
                _chunk(rows.column(place), columns.column(place), kind)
                for place, kind in zip(places, kinds, strict=True)
            ]
            known = [one for one in chunks if one is not None and one.rows == rows.num_rows]
            if len(known) == len(names):
                groups[group] = known
        return cls(groups)

    def sound(self, file: BinaryIO, group: int) -> bool:
        """Whether it is seen that the columns of a row group can be decoded."""
        try:
            for chunk in self.groups[group]:
                _Pages(file, chunk).prove()
        except (_Unusual, KeyError):
            return False
        return True


def _chunk(found: Any, levels: Any, kind: pa.DataType) -> Chunk | None:
    """Where a column lies; ``None`` if it holds no numbers as they are, or lists, or is packed
    in another way.
    """
    import pyarrow as pa

    stored = {"INT32": pa.int32(), "INT64": pa.int64(), "FLOAT": pa.float32()}
    if (stored | {"DOUBLE": pa.float64()}).get(found.physical_type) != kind or found.file_path:
        return None
    if found.compression not in ("SNAPPY", "UNCOMPRESSED"):
        return None
    if levels.max_repetition_level != 0 or levels.max_definition_level > 1:
        return None
    start = found.data_page_offset
    if found.has_dictionary_page:
        start = min(start, found.dictionary_page_offset)
    return Chunk(
        start,
        found.total_compressed_size,
        found.num_values,
        _WIDTHS[found.physical_type],
        levels.max_definition_level == 1,
        found.compression == "SNAPPY",
    )


@dataclass(frozen=True, slots=True)
class _Page:
    """One page: its header, and where its bytes lie in ``data``."""

    header: list[int]
    data: Bytes
    first: int
    last: int

    def of(self, part: int) -> int:
        """One entry of its header."""
        return self.header[part]


class _Pages:
    """Goes through the pages of one chunk. Private."""

    __slots__ = ("_begins", "_chunk", "_codes", "_file", "_head", "_room", "_window")

    def __init__(self, file: BinaryIO, chunk: Chunk) -> None:
        self._file, self._chunk, self._begins = file, chunk, chunk.start
        self._room = np.empty(_WINDOW, dtype=np.uint8)
        self._window = self._room[:0]
        self._head = np.zeros(_HEAD, dtype=np.uint8)
        self._codes: int | None = None

    def __repr__(self) -> str:
        return "_Pages(private)"

    def prove(self) -> None:
        """See that every page can be decoded, or raise ``_Unusual``."""
        for page in self._all():
            if page.of(pages.KIND) == _DATA:
                self._prove_values(page)
            elif page.of(pages.KIND) == _DICTIONARY and self._codes is None:
                if page.of(pages.ENCODING) not in (_PLAIN, 2):
                    raise _Unusual
                self._needs(page, page.of(pages.VALUES) * self._chunk.width)
                self._codes = page.of(pages.VALUES)
            else:
                raise _Unusual

    def _all(self) -> Iterator[_Page]:
        """Every page, until as many values have come as there are records."""
        position, end = self._chunk.start, self._chunk.start + self._chunk.size
        left, header = self._chunk.rows, np.empty(pages.PARTS, dtype=np.int64)
        while left:
            data = self._seen(position, _HEADER)
            first = pages.read_header(data, 0, len(data), header)
            sizes = header[[pages.PACKED, pages.UNPACKED, pages.VALUES]]
            if first < 0 or sizes.min() < 0 or sizes.max() > _MOST:
                raise _Unusual
            last = first + int(header[pages.PACKED])
            if last > end - position:
                raise _Unusual
            page = _Page(header.tolist(), self._seen(position, last), first, last)
            if page.of(pages.KIND) == _DATA:
                left -= page.of(pages.VALUES)
            if left < 0 or not _as_summed(page):
                raise _Unusual
            yield page
            position += last

    def _seen(self, position: int, size: int) -> Bytes:
        """The bytes from ``position`` on, ``size`` of them or more; fewer at the chunk's end."""
        end = self._chunk.start + self._chunk.size
        there = position - self._begins
        if there + min(size, end - position) > len(self._window):
            wanted = min(max(size, _WINDOW), end - position)
            if wanted > len(self._room):
                self._room = np.empty(wanted, dtype=np.uint8)
            self._file.seek(position)
            if self._file.readinto(self._room[:wanted].data) != wanted:  # type: ignore[attr-defined]
                raise _Unusual
            self._window, self._begins, there = self._room[:wanted], position, 0
        return self._window[there:]

    def _needs(self, page: _Page, least: int) -> None:
        """See that a page can be unpacked, to ``least`` bytes or more."""
        size = page.of(pages.UNPACKED)
        if self._chunk.packed:
            found = pages.snappy_size(page.data, page.first, page.last, self._head)
        else:
            found = page.last - page.first
            shown = page.data[page.first : page.last][:_HEAD]
            self._head[: len(shown)] = shown
        if found != size or size < least:
            raise _Unusual

    def _prove_values(self, page: _Page) -> None:
        count = page.of(pages.VALUES)
        if page.of(pages.ENCODING) == _PLAIN:
            self._needs(page, 0)
            size = page.of(pages.UNPACKED)
            first = self._after_levels(page, self._head[:size])
            if first + count * self._chunk.width > size:
                raise _Unusual
            return
        if page.of(pages.ENCODING) not in _CODED or self._codes is None:
            raise _Unusual
        data = self._unpacked(page)
        first = self._after_levels(page, data)
        if not pages.codes_fit(data, first, len(data), count, self._codes):
            raise _Unusual

    def _after_levels(self, page: _Page, data: Bytes) -> int:
        """Where the values of a page begin; none of them may be missing."""
        if not self._chunk.optional:
            return 0
        stop = 4 + int.from_bytes(data[:4].tobytes(), "little")
        if page.of(pages.LEVELS) != _RUNS or stop > len(data):
            raise _Unusual
        if not pages.all_there(data, 4, stop, page.of(pages.VALUES)):
            raise _Unusual
        return stop

    def _unpacked(self, page: _Page) -> Bytes:
        """The bytes of a page."""
        import pyarrow as pa

        self._needs(page, 0)
        packed = page.data[page.first : page.last]
        if not self._chunk.packed:
            return packed
        try:
            found = pa.Codec("snappy").decompress(pa.py_buffer(packed), page.of(pages.UNPACKED))
        except (pa.ArrowException, OSError):
            raise _Unusual from None
        return np.frombuffer(found, dtype=np.uint8)


def _as_summed(page: _Page) -> bool:
    """Whether the bytes of a page have the checksum that it says, if it says one."""
    if page.of(pages.HAS_CHECKSUM) != 1:
        return True
    found = zlib.crc32(page.data[page.first : page.last].data)
    return found == page.of(pages.CHECKSUM) & 0xFFFFFFFF
