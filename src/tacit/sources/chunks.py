"""One column of one row group of a Parquet file, page by page: seen to be sound, or read.

Only what is written in the one way that most files are: ``plain``. Everything else is
``Unusual``, and so is everything that is damaged.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from functools import cache
from typing import BinaryIO

import numpy as np

from tacit.sources import pages
from tacit.sources.kept import Room, anywhere
from tacit.sources.pages import (
    CHECKSUM,
    ENCODING,
    HAS_CHECKSUM,
    KIND,
    LEVELS,
    PACKED,
    PARTS,
    UNPACKED,
    VALUES,
    Bytes,
    Words,
)  # fmt: skip
from tacit.sources.snappy import snappy_size, unpack

_DATA, _DICTIONARY = 0, 2
_PLAIN, _CODED, _RUNS = 0, (2, 8), 3
_WINDOW, _HEADER = 1 << 19, 1 << 12
_MOST = 1 << 26
"""Bytes or values of a page; a longer one is decoded."""
_HEAD = 64
"""So many bytes of a page are looked at for its levels, which are one short run."""
_MORE = 64
"""Loops are quick where so many bytes of room follow what they read and write."""


@cache
def prepare() -> None:
    """Compile what reads pages: after a charge nothing may be."""
    data, found = np.zeros(_MORE, dtype=np.uint8), np.empty(PARTS, dtype=np.int64)
    pages.read_header(data, 0, 1, found)
    pages.after_levels(data, 1, 1)
    pages.codes_fit(data, 0, 1, 1, 1)
    for words in (np.uint8, np.uint32, np.uint64):
        pages.read_codes(data, 0, 1, 1, np.zeros(1, words), np.zeros(1, words))
    snappy_size(data, 0, 1, data)
    unpack(data, 0, 1, data)


class Unusual(Exception):
    """A column is not written in the one way that is known here, or is damaged."""


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


@dataclass(slots=True)
class _Page:
    """One page: its header, and where its bytes lie in ``data``."""

    header: list[int]
    data: Bytes
    first: int
    last: int


class _Again:
    """Memory that is used again for every page, and grows with the longest."""

    __slots__ = ("_bytes",)

    def __init__(self) -> None:
        self._bytes: Bytes = np.empty(0, dtype=np.uint8)

    def __call__(self, size: int) -> Bytes:
        if len(self._bytes) < size + _MORE:
            self._bytes = np.empty(size + _MORE, dtype=np.uint8)
        return self._bytes


class Pages:
    """Goes through the pages of one chunk. Private."""

    __slots__ = (
        "_begins", "_begun", "_chunk", "_codes", "_file", "_head", "_header", "_held", "_left",
        "_longest", "_position", "_room", "_rows", "_size", "_unpacked", "_values",
        "_window", "_words",
    )  # fmt: skip

    def __init__(self, file: BinaryIO, chunk: Chunk, held: Room | None = None) -> None:
        """With ``held`` the values are to be held, in memory that it gives."""
        self._file, self._chunk, self._begins = file, chunk, chunk.start
        self._held = held
        self._room, self._unpacked, self._values = _Again(), _Again(), _Again()
        self._window: Bytes = np.empty(0, dtype=np.uint8)
        self._left: Words = np.empty(0, dtype=np.uint8)
        self._size, self._longest, self._begun = 1, 1, 0
        self._head = np.zeros(_HEAD, dtype=np.uint8)
        self._words = np.dtype(f"u{chunk.width}")
        self._codes: Words | None = None
        self._position, self._rows = chunk.start, chunk.rows
        self._header = np.empty(PARTS, dtype=np.int64)

    def __repr__(self) -> str:
        return "Pages(private)"

    def prove(self) -> None:
        """See that ``take`` can give every value, and Arrow too, or raise ``Unusual``."""
        known: int | None = None
        while (page := self._page()) is not None:
            count = page.header[VALUES]
            if page.header[KIND] == _DICTIONARY:
                if known is not None or page.header[ENCODING] not in (_PLAIN, 2):
                    raise Unusual
                self._see(page, count * self._chunk.width)
                known = count
            elif page.header[ENCODING] == _PLAIN:
                self._see(page, 0)
                size = page.header[UNPACKED]
                first = self._after_levels(page, self._head, min(size, _HEAD))
                if first + count * self._chunk.width > size:
                    raise Unusual
            elif page.header[ENCODING] in _CODED and known is not None:
                data, size = self._opened(page)
                first = self._after_levels(page, data, size)
                if not pages.codes_fit(data, first, size, count, known):
                    raise Unusual
            else:
                raise Unusual

    def take(self, count: int) -> Words:
        """The next ``count`` values, or ``Unusual``, as words of their own length.

        Whole numbers that are to be held are the shortest words without sign that hold them all;
        others are bytes where their dictionary holds no longer ones.
        """
        room = anywhere if self._held is None else self._held
        out, filled = np.empty(0, dtype=np.uint8), 0
        while filled < count:
            if not len(self._left):
                self._left, self._size = self._next()
            part, size = self._left[: count - filled], self._size
            if size > out.itemsize or not filled:
                wider = room(size * count).view(f"u{size}")
                wider[:filled] = out[:filled]
                out = wider
            out[filled : filled + len(part)] = part  # also where they come as longer words
            self._left = self._left[len(part) :]
            filled += len(part)
        return out

    def _next(self) -> tuple[Words, int]:
        """The values of the next page that has some, and how many bytes a word of them needs."""
        width = self._chunk.width
        while (page := self._page()) is not None:
            count = page.header[VALUES]
            if not count:
                continue
            data, size = self._opened(page)
            if page.header[KIND] == _DICTIONARY:
                encoded = page.header[ENCODING] not in (_PLAIN, 2)
                if self._codes is not None or encoded or size < count * width:
                    raise Unusual
                words = data[: count * width].copy().view(self._words)
                self._longest = self._needed(words)
                if self._held is None and self._longest > 1:
                    self._longest = width
                # Few lengths are compiled.
                self._codes = words.astype(np.uint8) if self._longest == 1 else words
                continue
            first = self._begun = self._after_levels(page, data, size)
            if page.header[ENCODING] == _PLAIN:
                if first + count * width > size:
                    raise Unusual
                words = data[first : first + count * width].view(self._words)
                return words, width if self._held is None else self._needed(words)
            if page.header[ENCODING] not in _CODED or self._codes is None:
                raise Unusual
            used = count * self._codes.itemsize
            values = self._values(used)[:used].view(self._codes.dtype)
            if not pages.read_codes(data, first, size, count, self._codes, values):
                raise Unusual
            return values, self._longest
        raise Unusual

    def _needed(self, words: Words) -> int:
        """How many bytes hold each of these words, if they are whole numbers.

        One below 0 has its highest bit set, and needs all of them.
        """
        if not self._chunk.whole:
            return words.itemsize
        bits = int(np.bitwise_or.reduce(words)).bit_length()
        return 1 if bits <= 8 else 2 if bits <= 16 else 4 if bits <= 32 else 8

    def _page(self) -> _Page | None:
        """The next page, or ``None`` when as many values have come as there are records."""
        if not self._rows:
            return None
        position, end = self._position, self._chunk.start + self._chunk.size
        there, found = position - self._begins, self._header
        first = pages.read_header(self._window, there, len(self._window), found)
        if first < 0:
            there = self._move(position, _HEADER)
            first = pages.read_header(self._window, there, len(self._window), found)
        header: list[int] = found.tolist()
        sizes = packed, _, count = header[PACKED], header[UNPACKED], header[VALUES]
        if first < 0 or min(sizes) < 0 or max(sizes) > _MOST:
            raise Unusual
        size = first - there + packed
        if size > end - position:
            raise Unusual
        if there + size > len(self._window):
            there = self._move(position, size)
        page = _Page(header, self._window, there + size - packed, there + size)
        self._position += size
        self._rows -= count if header[KIND] == _DATA else 0
        if self._rows < 0 or not _as_summed(page):
            raise Unusual
        return page

    def _move(self, position: int, size: int) -> int:
        """Read so many bytes from ``position`` on, and more, fewer at the chunk's end; where in
        the window they begin.
        """
        end = self._chunk.start + self._chunk.size
        wanted = min(max(size, _WINDOW), end - position)
        have = self._window[position - self._begins :][:wanted]
        room = self._room(wanted)
        room[: len(have)] = have
        self._file.seek(position + len(have))
        more = room[len(have) : wanted].data
        if self._file.readinto(more) != len(more):  # type: ignore[attr-defined]
            raise Unusual
        self._window, self._begins = room[:wanted], position
        return 0

    def _see(self, page: _Page, least: int) -> None:
        """See that a page can be unpacked, to ``least`` bytes or more."""
        size = page.header[UNPACKED]
        if self._chunk.packed:
            found = snappy_size(page.data, page.first, page.last, self._head)
        else:
            found = page.last - page.first
            shown = page.data[page.first : page.last][:_HEAD]
            self._head[: len(shown)] = shown
        if found != size or size < least:
            raise Unusual

    def _opened(self, page: _Page) -> tuple[Bytes, int]:
        """The bytes of a page, perhaps others after them, and how many are its own."""
        size = page.header[UNPACKED]
        if not self._chunk.packed:
            if size != page.last - page.first:
                raise Unusual
            return page.data[page.first :], size
        # Values that begin as far behind as those before then begin at a word.
        room = self._unpacked(size + 8)[-self._begun % 8 :]
        if unpack(page.data, page.first, page.last, room) != size:
            raise Unusual
        return room, size

    def _after_levels(self, page: _Page, data: Bytes, size: int) -> int:
        """Where the values of a page begin; none of them may be missing."""
        if not self._chunk.optional:
            return 0
        first = pages.after_levels(data, size, page.header[VALUES])
        if page.header[LEVELS] != _RUNS or first < 0:
            raise Unusual
        return int(first)


def _as_summed(page: _Page) -> bool:
    """Whether the bytes of a page have the checksum that it says, if it says one."""
    if page.header[HAS_CHECKSUM] != 1:
        return True
    found = zlib.crc32(page.data[page.first : page.last].data)
    return found == page.header[CHECKSUM] & 0xFFFFFFFF
