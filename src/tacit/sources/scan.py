"""Compiled reading of a text table: where every cell begins and ends, or that there is none.

Whether a byte stands inside quotes is the parity of the quotes before it. A record that is
replaced by other bytes therefore either leaves an odd number of quotes, and the file is
refused, or leaves the places of all other cells as they were: see ``scan.proof.md``.
"""

from __future__ import annotations

import numpy as np

from tacit.exact.arrays import Values
from tacit.exact.compiled import compiled

COMPLETE, MALFORMED = 0, 1
LONGEST = 1 << 26
"""Bytes that one record may have at most; a longer one is not well-formed."""

_LF, _CR = 10, 13


@compiled(nogil=True)
def index_records(
    data: Values,
    final: bool,  # noqa: FBT001 - compiled functions take no keywords
    marks: tuple[int, int],
    slots: Values,
    spans: Values,
    doubled: Values,
) -> tuple[int, int, int]:
    """Index the records that lie completely in ``data``; ``final`` says that nothing follows.

    ``marks`` are the delimiter and the quote. ``slots[field]`` is where a field's span is
    written, or -1; ``spans[record, slot]`` are its first byte and the byte after its last,
    without quotes, and ``doubled[record, slot]`` says that it has doubled quotes.
    The value is (``COMPLETE`` or ``MALFORMED``, records found, bytes used). Places are unsigned:
    signed ones are looked at for their sign at every byte.
    """
    delimiter, quote = marks
    size, fields, room = np.uint64(len(data)), len(slots), len(spans)
    one, two, longest = np.uint64(1), np.uint64(2), np.uint64(LONGEST)
    special = np.zeros(256, np.bool_)
    for mark in (delimiter, quote, _LF, _CR):
        special[mark] = True
    position, record = np.uint64(0), 0
    while record < room and position < size:
        first, field = position, 0
        while True:
            quoted = position < size and data[position] == quote
            twice = False
            if quoted:
                position += one
                begin = position
                while True:
                    while position < size and data[position] != quote:
                        position += one
                    if position + one < size and data[position + one] == quote:
                        twice = True
                        position += two
                        continue
                    break
                if position >= size or (position + one == size and not final):
                    short = position - first <= longest
                    return (COMPLETE if short and not final else MALFORMED), record, int(first)
                end = position
                position += one
            else:
                begin = position
                while position < size and not special[data[position]]:
                    position += one
                end = position
            if field == fields:
                return MALFORMED, record, int(first)
            slot = slots[field]
            if slot >= 0:
                spans[record, slot, 0] = begin
                spans[record, slot, 1] = end
                doubled[record, slot] = twice
            field += 1
            if position < size and data[position] == delimiter:
                position += one
                if position == size and not final:
                    short = size - first <= longest
                    return (COMPLETE if short else MALFORMED), record, int(first)
                continue
            if position == size or (data[position] == _CR and position + one == size):
                if not final:
                    short = size - first <= longest
                    return (COMPLETE if short else MALFORMED), record, int(first)
                if position < size:  # a lone carriage return
                    return MALFORMED, record, int(first)
            elif data[position] == _LF:
                position += one
            elif data[position] == _CR and data[position + one] == _LF:
                position += two
            else:  # a quote inside a cell, something after one, or a lone carriage return
                return MALFORMED, record, int(first)
            if field != fields or position - first > longest:
                return MALFORMED, record, int(first)
            if fields == 1 and begin == end and not quoted:  # a blank line is no record
                return MALFORMED, record, int(first)
            break
        record += 1
    return COMPLETE, record, int(position)


@compiled(nogil=True)
def gather(
    data: Values,
    spans: Values,
    doubled: Values,
    quote: int,
    offsets: Values,
    valid: Values,
    out: Values,
) -> None:
    """Copy the cells of one column one after another into ``out``, doubled quotes once.

    ``offsets`` has one entry more than there are cells; a cell without a byte is not valid. No
    cell ends before it begins. Places are unsigned: signed ones are looked at for their sign at
    every byte.
    """
    written = np.uint64(0)
    for record in range(len(spans)):
        offsets[record] = written
        position, stop = np.uint64(spans[record, 0]), np.uint64(spans[record, 1])
        valid[record] = stop > position
        if not doubled[record]:
            for byte in range(stop - position):
                out[written + np.uint64(byte)] = data[position + np.uint64(byte)]
            written += stop - position
            continue
        while position < stop:
            out[written] = data[position]
            written += np.uint64(1)
            position += np.uint64(2) if data[position] == quote else np.uint64(1)
    offsets[len(spans)] = written


@compiled(nogil=True)
def index_lines(
    data: Values,
    final: bool,  # noqa: FBT001 - compiled functions take no keywords
    delimiter: int,
    slots: Values,
    spans: Values,
    readable: Values,
) -> tuple[int, int]:
    """Index the lines that lie completely in ``data``: one line is one record, quotes or not.

    A line with more or fewer cells than ``slots``, or that is not UTF-8, or longer than
    ``LONGEST``, is not ``readable`` and its spans mean nothing. The value is (lines found,
    bytes used); no line is ever refused.
    """
    size, fields, room = len(data), len(slots), len(spans)
    position, record = 0, 0
    while record < room and position < size:
        first, field, begin = position, 0, position
        while position < size and data[position] != _LF:
            if data[position] == delimiter:
                if field < fields and slots[field] >= 0:
                    spans[record, slots[field], 0] = begin
                    spans[record, slots[field], 1] = position
                field += 1
                begin = position + 1
            position += 1
        if position == size and not final:
            return record, first
        end = position
        if position < size:
            position += 1
            if end > begin and data[end - 1] == _CR:
                end -= 1
        if field < fields and slots[field] >= 0:
            spans[record, slots[field], 0] = begin
            spans[record, slots[field], 1] = end
        fits = field + 1 == fields and position - first <= LONGEST
        readable[record] = fits and is_utf8(data, first, end)
        record += 1
    return record, position


@compiled(nogil=True)
def is_utf8(data: Values, position: int, stop: int) -> bool:
    """Whether these bytes are UTF-8: the shortest forms, no surrogates, at most U+10FFFF."""
    while position < stop:
        lead = data[position]
        position += 1
        if lead < 0x80:
            continue
        low, high = 0x80, 0xBF
        if 0xC2 <= lead <= 0xDF:
            more = 1
        elif 0xE0 <= lead <= 0xEF:
            more = 2
            low = 0xA0 if lead == 0xE0 else 0x80
            high = 0x9F if lead == 0xED else 0xBF
        elif 0xF0 <= lead <= 0xF4:
            more = 3
            low = 0x90 if lead == 0xF0 else 0x80
            high = 0x8F if lead == 0xF4 else 0xBF
        else:
            return False
        if position + more > stop:
            return False
        for _ in range(more):
            if not low <= data[position] <= high:
                return False
            low, high = 0x80, 0xBF
            position += 1
    return True
