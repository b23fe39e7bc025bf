"""Compiled reading of many pages of a Parquet column at once, listed in a table.

Every loop is total, as those for single pages are (``pages``): bytes that are not what they
should be give a sign and never a fault. A table is one that ``list_pages`` wrote for the same
bytes.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.exact.compiled import compiled
from tacit.sources.pages import (
    ENCODING,
    FIT,
    KIND,
    LEVELS,
    OTHER,
    PACKED,
    PARTS,
    UNPACKED,
    VALUES,
    Bytes,
    after_levels,
    fitting_codes,
    read_codes,
    read_header,
)
from tacit.sources.snappy import unpack
from tacit.sources.snappy_sizes import Numbers, snappy_sizes
from tacit.sources.snappy_two import unpack_two
from tacit.sources.words_at import copy_bytes

Table = npt.NDArray[np.int64]
"""A row a page: what its header says, then where its bytes begin and end."""

FIRST, LAST = PARTS, PARTS + 1
FIELDS = PARTS + 2
DATA, DICTIONARY = 0, 2
PLAIN, _CODED, _RUNS = 0, (2, 8), 3
_MOST = 1 << 26
"""Bytes or values of a page; a longer one is decoded by Arrow."""
_HEADER = 1 << 12
_HEAD = 64
"""So many bytes of a page are looked at for its levels, which are one short run."""


@compiled(nogil=True)
def list_pages(
    data: Bytes, position: int, stop: int, rows: int, table: Table
) -> tuple[int, int, int, int]:
    """List the pages from ``position`` on that lie in ``data``, until all ``rows`` have come.

    The column's last byte is before ``stop``. The value is (pages, or -1 where one is not what it
    should be; the place after them; rows that are left; bytes that the next page needs).
    """
    many, there = 0, min(stop, len(data))
    while rows > 0 and many < len(table):
        found = table[many]
        first = read_header(data, position, there, found)
        if first < 0:
            return many, position, rows, _HEADER
        packed, unpacked, count = found[PACKED], found[UNPACKED], found[VALUES]
        last = first + packed
        if min(packed, unpacked, count) < 0 or max(packed, unpacked, count) > _MOST or last > stop:
            return -1, position, rows, 0
        if last > there:
            return many, position, rows, last - position
        if found[KIND] == DATA:
            rows -= count
        if rows < 0:
            return -1, position, rows, 0
        found[FIRST], found[LAST] = first, last
        position = last
        many += 1
    return many, position, rows, 0


@compiled(nogil=True)
def _two_opened(data: Bytes, one: Table, two: Table, room: Bytes) -> tuple[Bytes, Bytes]:
    """The bytes of two packed pages, unpacked side by side into the halves of ``room``."""
    half = len(room) // 2
    out, into = room[:half], room[half:]
    size, other = unpack_two(data, one[FIRST], one[LAST], out, two[FIRST], two[LAST], into)
    return (
        out if size == one[UNPACKED] else out[:0],
        into if other == two[UNPACKED] else into[:0],
    )


@compiled(nogil=True)
def _opened(data: Bytes, found: Table, packed: bool, room: Bytes) -> Bytes:  # noqa: FBT001
    """The bytes of a page, perhaps others after them; fewer than it announces if it is damaged."""
    first, last, size = found[FIRST], found[LAST], found[UNPACKED]
    if not packed:
        return data[first:] if last - first == size else data[:0]
    return room if unpack(data, first, last, room) == size else room[:0]


@compiled(nogil=True)
def _begin(page: Bytes, size: int, found: Table, optional: bool) -> int:  # noqa: FBT001
    """Where the values of a page of ``size`` bytes begin, or -1; none of them may be missing."""
    if size > len(page):
        return -1
    if not optional:
        return 0
    return int(after_levels(page, size, found[VALUES])) if found[LEVELS] == _RUNS else -1


@compiled(nogil=True)
def _gone_over(data: Bytes, table: Table, packed: bool, first: int) -> tuple[Numbers, Bytes]:  # noqa: FBT001
    """How many bytes each page makes that is only gone over, -1 if it cannot be, and its head.

    These are the ``first`` ones, and all of plain values. The others are unpacked later.
    """
    sizes, heads = np.zeros(len(table), np.int64), np.zeros((len(table), _HEAD), np.uint8)
    if not packed:
        for place in range(len(table)):
            begin = table[place, FIRST]
            sizes[place] = table[place, LAST] - begin
            for step in range(min(sizes[place], _HEAD)):
                heads[place, step] = data[begin + step]
        return sizes, heads
    chosen = np.zeros(len(table), np.int64)
    many = 0
    for place in range(len(table)):
        if place < first or table[place, ENCODING] == PLAIN:
            chosen[many] = place
            many += 1
    found, shown = np.zeros(many, np.int64), np.zeros((many, _HEAD), np.uint8)
    begins, ends = table[chosen[:many], FIRST], table[chosen[:many], LAST]
    snappy_sizes(data, begins, ends, shown, found)
    for place in range(many):
        sizes[chosen[place]], heads[chosen[place]] = found[place], shown[place]
    return sizes, heads


@compiled(nogil=True)
def prove_pages(
    data: Bytes,
    table: Table,
    first: int,
    packed: bool,  # noqa: FBT001 - compiled functions take no keywords
    optional: bool,  # noqa: FBT001
    width: int,
    entries: int,
    room: Bytes,
) -> int:
    """``FIT`` if ``read_pages`` can give every value of these pages, and Arrow too.

    Values are of ``width`` bytes; the dictionary has so many ``entries``, -1 if there is none. It
    is the ``first`` page, if that is 1, and only unpacked.
    """
    sizes, heads = _gone_over(data, table, packed, first)
    for place in range(len(table)):
        found = table[place]
        count, size, kind = found[VALUES], found[UNPACKED], found[ENCODING]
        if place < first:
            if sizes[place] != size:
                return OTHER
            continue
        if found[KIND] != DATA:
            return OTHER
        if kind == PLAIN:
            # The head shows the levels, which are one short run.
            begin = _begin(heads[place], min(size, _HEAD), found, optional)
            if sizes[place] != size or begin < 0 or begin + count * width > size:
                return OTHER
        elif kind in _CODED and entries >= 0:
            page = _opened(data, found, packed, room)
            begin = _begin(page, size, found, optional)
            if begin < 0:
                return OTHER
            codes = fitting_codes(page, begin, size, count, entries)
            if codes != FIT:
                return codes
        else:
            return OTHER
    return FIT


@compiled(nogil=True)
def read_pages(
    data: Bytes,
    table: Table,
    packed: bool,  # noqa: FBT001 - compiled functions take no keywords
    optional: bool,  # noqa: FBT001
    width: int,
    dictionary: Bytes,
    room: Bytes,
    out: Bytes,
) -> bool:
    """Write the values of these pages one after another to ``out``: whether that could be done.

    Each takes ``width`` bytes, 1, 4 or 8, there and in the dictionary. Both begin at a word.
    ``room`` is for two pages.
    """
    made, after = 0, room[:0]
    for place in range(len(table)):
        found = table[place]
        count, size, kind = found[VALUES], found[UNPACKED], found[ENCODING]
        if found[KIND] != DATA or made + count * width > len(out):
            return False
        if not packed:
            page = _opened(data, found, packed, room)
        elif place & 1:
            page = after
        elif place + 1 < len(table):
            page, after = _two_opened(data, found, table[place + 1], room)
        else:
            page = _opened(data, found, packed, room)
        begin = _begin(page, size, found, optional)
        values = out[made : made + count * width]
        if begin < 0:
            return False
        if kind == PLAIN:
            if begin + len(values) > size:
                return False
            copy_bytes(out, made, page, begin, len(values))
        elif kind in _CODED:
            if width == 1:
                read = read_codes(page, begin, size, count, dictionary, values)
            elif width == 4:
                short, words = dictionary.view(np.uint32), values.view(np.uint32)
                read = read_codes(page, begin, size, count, short, words)
            else:
                long, longs = dictionary.view(np.uint64), values.view(np.uint64)
                read = read_codes(page, begin, size, count, long, longs)
            if not read:
                return False
        else:
            return False
        made += len(values)
    return True
