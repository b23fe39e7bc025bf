"""One column of one row group of a Parquet file, page by page: seen to be sound, or read.

Only what is written in the one way that most files are: ``plain``. Everything else is
``Unusual``, and so is everything that is damaged.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from functools import cache
from typing import Any, BinaryIO

import numpy as np

from tacit.sources.page_tables import (
    DICTIONARY,
    FIELDS,
    FIRST,
    LAST,
    PLAIN,
    Table,
    list_pages,
    prove_pages,
    read_pages,
)
from tacit.sources.pages import (
    BEYOND,
    CHECKSUM,
    ENCODING,
    FIT,
    HAS_CHECKSUM,
    KIND,
    UNPACKED,
    VALUES,
    Bytes,
    Words,
)
from tacit.sources.snappy import unpack

_PAGES = 64
"""So many pages are read at once, if they lie in the window."""
_ALL = 1 << 62
_MORE = 64
"""Loops are quick where so many bytes of room follow what they read and write."""


@cache
def prepare() -> None:
    """Compile what reads pages: after a charge nothing may be."""
    data, table = np.zeros(_MORE, dtype=np.uint8), np.zeros((1, FIELDS), dtype=np.int64)
    list_pages(data, 0, 1, 1, table)
    prove_pages(data, table, 1, True, True, 8, 1, data)  # noqa: FBT003
    read_pages(data, table, True, True, 8, data, data, data)  # noqa: FBT003
    unpack(data, 0, 1, data)


class Unusual(Exception):
    """A column is not written in the one way that is known here, or is damaged."""


class Damaged(Exception):
    """A column has codes beyond its dictionary: what Arrow reads of it depends on how much is asked
    for at once, so it must not be read at all.
    """


@dataclass(frozen=True, slots=True)
class Chunk:
    """Where a column of one row group lies in a file, and how it is written."""

    start: int
    size: int
    rows: int
    width: int
    whole: bool
    optional: bool
    packed: bool


class _Again:
    """Memory that is used again, and grows with the longest that is asked for."""

    __slots__ = ("_bytes",)

    def __init__(self) -> None:
        self._bytes: Bytes = np.empty(0, dtype=np.uint8)

    def __call__(self, size: int) -> Bytes:
        if len(self._bytes) < size + _MORE:
            self._bytes = np.empty(size + _MORE, dtype=np.uint8)
        return self._bytes


class Rooms:
    """Memory in which one column is read, chunk after chunk: new memory is cleared by the system
    first, which takes as long as reading. Private.

    Of a chunk at least ``ahead`` bytes are read at a time.
    """

    __slots__ = ("ahead", "entries", "unpacked", "window")

    def __init__(self, ahead: int) -> None:
        self.ahead = ahead
        self.window, self.unpacked, self.entries = _Again(), _Again(), _Again()

    def __repr__(self) -> str:
        return "Rooms(private)"


class Pages:
    """Goes through the pages of one chunk. Private."""

    __slots__ = (
        "_begins", "_chunk", "_codes", "_entries", "_file", "_left", "_longest", "_many", "_over",
        "_position", "_proving", "_rooms", "_rows", "_table", "_window", "_words",
    )  # fmt: skip

    def __init__(self, file: BinaryIO, chunk: Chunk, rooms: Rooms) -> None:
        """No other reader may use this memory meanwhile."""
        self._file, self._chunk, self._begins, self._rooms = file, chunk, chunk.start, rooms
        self._window: Bytes = np.empty(0, dtype=np.uint8)
        self._table: Table = np.empty((_PAGES, FIELDS), dtype=np.int64)
        self._left: Table = self._table[:0]
        self._words = np.dtype(f"u{chunk.width}")
        self._entries: Words | None = None
        self._many, self._proving = -1, False
        self._codes: Bytes = np.empty(0, dtype=np.uint8)
        self._over: Words = np.empty(0, dtype=self._words)
        self._position, self._rows, self._longest = chunk.start, chunk.rows, 0

    def __repr__(self) -> str:
        return "Pages(private)"

    def prove(self) -> None:
        """See that ``take`` can give every value, and Arrow too; else raise ``Unusual``, or
        ``Damaged``.
        """
        chunk, self._proving = self._chunk, True
        while len(self._left) or self._rows:
            first = self._position == chunk.start
            pages = self._pages(_ALL)
            dictionary = int(first and self._many >= 0)
            said = chunk.packed, chunk.optional, chunk.width, self._many
            room = self._room_of_two(pages)
            seen = prove_pages(self._window, pages, dictionary, *said, room)
            if seen != FIT:
                raise Damaged if seen == BEYOND else Unusual

    def take(self, count: int) -> Words:
        """The next ``count`` values, or ``Unusual``, as words of their own length.

        Whole numbers are bytes where their dictionary holds no longer ones. Pages are read as a
        whole: what is over comes next.
        """
        out, filled, chunk = self._over, len(self._over), self._chunk
        while filled < count:
            pages = self._pages(count - filled)
            if self._words.itemsize < chunk.width and not pages[:, ENCODING].all():
                self._use(np.dtype(f"u{chunk.width}"))  # longer ones may follow as they are
            last = filled + int(pages[:, VALUES].sum())
            self._longest = max(self._longest, int(pages[:, VALUES].max()))
            if last > len(out) or out.dtype != self._words:
                wider = np.empty(max(last, count + self._longest), dtype=self._words)
                wider[:filled] = out[:filled]
                out = wider
            room, values = self._room_of_two(pages), out[filled:last]
            said = chunk.packed, chunk.optional, self._words.itemsize, self._codes
            if not read_pages(self._window, pages, *said, room, values.view(np.uint8)):
                raise Unusual
            filled = last
        self._over = out[count:filled]
        return out[:count]

    def _room_of_two(self, pages: Table) -> Bytes:
        return self._rooms.unpacked(2 * (int(pages[:, UNPACKED].max()) + _MORE))

    def _pages(self, values: int) -> Table:
        """The next pages: so many that they have as many values, or all that are in the window."""
        if not len(self._left):
            self._left = self._listed()
        enough = np.searchsorted(np.cumsum(self._left[:, VALUES]), values) + 1
        pages, self._left = self._left[:enough], self._left[enough:]
        return pages

    def _listed(self) -> Table:
        """The pages with values that come next in the window, which is moved on if there is none.

        A dictionary may come before them all.
        """
        known, needed = self._position > self._chunk.start, -1
        while self._rows:
            there, end = self._position - self._begins, self._chunk.start + self._chunk.size
            many, place, rows, wanted = list_pages(
                self._window, there, end - self._begins, self._rows, self._table
            )
            if many < 0 or (not many and wanted <= needed):
                raise Unusual
            if not many:
                needed = wanted
                self._move(needed)
                continue
            pages = self._table[:many]
            self._position, self._rows = self._begins + place, rows
            self._sum_up(pages)
            if not known and pages[0, KIND] == DICTIONARY:
                self._read_dictionary(pages[0])
                known, needed = True, -1
                pages = pages if self._proving else pages[1:]
            if not pages[pages[:, KIND] != DICTIONARY, VALUES].all():
                raise Unusual  # Arrow may take an empty page for the last one
            if len(pages):
                return pages
        raise Unusual

    def _sum_up(self, pages: Table) -> None:
        """See that pages have the checksums that they say, if they say some."""
        for page in pages[pages[:, HAS_CHECKSUM] == 1].tolist():
            found = zlib.crc32(self._window[page[FIRST] : page[LAST]].data)
            if found != page[CHECKSUM] & 0xFFFFFFFF:
                raise Unusual

    def _read_dictionary(self, page: Table) -> None:
        """Keep the words that codes stand for; for a proof it is enough how many they are."""
        first, last, size = int(page[FIRST]), int(page[LAST]), int(page[UNPACKED])
        self._many = int(page[VALUES])
        used = self._many * self._chunk.width
        if size < used or page[ENCODING] not in (PLAIN, 2):
            raise Unusual
        if self._proving:
            return
        data = self._rooms.entries(size)
        packed = self._chunk.packed
        if (unpack(self._window, first, last, data) if packed else last - first) != size:
            raise Unusual
        if not packed:
            data[:size] = self._window[first:last]
        self._entries = data[:used].view(self._words)
        short = self._chunk.whole and int(self._entries.max(initial=0)) < 256
        self._use(np.dtype(np.uint8) if short else self._words)

    def _use(self, words: np.dtype[np.unsignedinteger[Any]]) -> None:
        """Read values as words of this length from now on."""
        self._words = words
        if self._entries is not None:
            self._codes = self._entries.astype(words, copy=False).view(np.uint8)

    def _move(self, size: int) -> None:
        """Let the window begin at the next page, with so many bytes and more, fewer at the end."""
        position, end = self._position, self._chunk.start + self._chunk.size
        wanted = min(max(size, self._rooms.ahead), end - position)
        have = self._window[position - self._begins :][:wanted]
        room = self._rooms.window(wanted)
        room[: len(have)] = have
        self._file.seek(position + len(have))
        more = room[len(have) : wanted].data
        if self._file.readinto(more) != len(more):  # type: ignore[attr-defined]
            raise Unusual
        self._window, self._begins = room[:wanted], position
