"""Compiled reading of the pages of a Parquet column: headers, levels, runs of codes.

Every loop is total: bytes that are not what they should be give a sign and never a fault. No
place outside of what was passed is read or written.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.exact.compiled import compiled
from tacit.sources.words_at import put_word, word_at

Bytes = npt.NDArray[np.uint8]
Header = npt.NDArray[np.int64]
Words = npt.NDArray[np.unsignedinteger[Any]]

KIND, UNPACKED, PACKED, CHECKSUM, VALUES, ENCODING, LEVELS, REPEATS, HAS_CHECKSUM = range(9)
"""What ``read_header`` finds; -1 where the header does not say it."""
PARTS = 9
OTHER, FIT, BEYOND = range(3)
"""What is seen of pages: that they are written in another way, or damaged; that they can be read;
that codes lie beyond the dictionary. Of the last, Arrow reads other values, or none, as more or
fewer are asked for at once.
"""
_DEEPEST = 6
LAST_FIELD = (1 << 15) - 1
"""Arrow begins anew after it where fields are numbered on."""
_LONGEST_VARINT = 63
_LONGEST_RUN = (1 << 31) - 1
_ONES, _SEVENS = np.uint64(0x0101010101010101), np.uint64(0x7F7F7F7F7F7F7F7F)
_FLAGS = np.uint64(0x8040201008040201)


@compiled(nogil=True)
def varint(data: Bytes, position: int, stop: int) -> tuple[int, int]:
    """A number in groups of seven bits and the place after it, or a place of -1."""
    value, shift = np.int64(0), 0
    while position < stop and shift < _LONGEST_VARINT:
        byte = np.int64(data[position])
        position += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return int(value), position
        shift += 7
    return 0, -1


@compiled(nogil=True)
def read_header(data: Bytes, position: int, stop: int, found: Header) -> int:
    """Read the header of a page into ``found``; the place after it, or -1 if it is no such.

    A header is a Thrift structure in the compact form. Fields that are not asked for, such as
    the least and greatest value, are passed over; lists and maps do not occur in it.
    """
    found[:] = -1
    lasts, depth, inside = np.zeros(_DEEPEST, np.int64), 0, np.int64(0)
    while position < stop:
        byte = np.int64(data[position])
        position += 1
        if byte == 0:
            if depth == 0:
                told = found[LEVELS] >= 0 and found[REPEATS] >= 0
                values = found[KIND] == 0 and inside == 5 and told
                return position if values or (found[KIND] == 2 and inside == 7) else -1
            depth -= 1
            continue
        kind = byte & 15
        if byte >> 4 == 0:  # a number far from the one before: no header has that
            return -1
        lasts[depth] += byte >> 4
        field = lasts[depth]
        if field > LAST_FIELD:
            return -1
        if kind == 1 or kind == 2:  # a truth value, which has no bytes of its own
            continue
        if 4 <= kind <= 6:
            value, position = varint(data, position, stop)
            if position < 0:
                return -1
            part = np.int64(-1)
            if depth == 0 and field <= 4:
                part = field - 1
            elif depth == 1 and field <= 4 and (inside == 5 or inside == 7):
                part = VALUES - 1 + field
            if part >= 0:
                if kind != 5 or (found[part] != -1 and part != CHECKSUM):
                    return -1
                found[part] = (value >> 1) ^ -(value & 1)
                if part == CHECKSUM:
                    found[HAS_CHECKSUM] = 1
        elif kind == 3:
            position += 1
        elif kind == 7:
            position += 8
        elif kind == 8:
            value, position = varint(data, position, stop)
            if position < 0 or value > stop - position:
                return -1
            position += value
        elif kind == 12 and depth + 1 < _DEEPEST:
            if depth == 0:
                if inside != 0:  # a page is of one kind
                    return -1
                inside = field
            depth += 1
            lasts[depth] = 0
        else:
            return -1
    return -1


@compiled(nogil=True)
def all_there(data: Bytes, position: int, stop: int, count: int) -> bool:
    """Whether runs of one-bit levels say of each of ``count`` values that it is not missing."""
    seen = 0
    while seen < count:
        header, position = varint(data, position, stop)
        if position < 0:
            return False
        if header & 1:
            groups = header >> 1
            if groups == 0 or groups > stop - position or header > _LONGEST_RUN:
                return False
            for _ in range(groups):
                left = count - seen
                wanted = 255 if left >= 8 else (1 << max(0, left)) - 1
                if data[position] & wanted != wanted:
                    return False
                position += 1
                seen += 8
        else:
            if header == 0 or header > _LONGEST_RUN or position >= stop or data[position] != 1:
                return False
            position += 1
            seen += header >> 1
    return True


@compiled(nogil=True)
def after_levels(data: Bytes, size: int, count: int) -> int:
    """Where the values of a page of ``size`` bytes begin that says first which are missing; -1 if
    one is.
    """
    if size < 4 or size > len(data):
        return -1
    stop = 4
    for place in range(4):
        stop += int(np.int64(data[place])) << (8 * place)
    return stop if stop <= size and all_there(data, 4, stop, count) else -1


@compiled(nogil=True)
def _code(data: Bytes, bit: np.uint64, width: np.uint64) -> np.uint64:
    """The code of at most 25 bits that begins at this bit; three bytes after it are there too."""
    byte = bit >> np.uint64(3)
    word = np.uint32(data[byte])
    word |= np.uint32(data[byte + np.uint64(1)]) << np.uint32(8)
    word |= np.uint32(data[byte + np.uint64(2)]) << np.uint32(16)
    word |= np.uint32(data[byte + np.uint64(3)]) << np.uint32(24)
    mask = (np.uint64(1) << width) - np.uint64(1)
    return np.uint64(word >> np.uint32(bit & np.uint64(7))) & mask


@compiled(nogil=True)
def _late_code(data: Bytes, bit: np.uint64, width: np.uint64) -> np.uint64:
    """A code of any length, of which no byte after its own is looked at."""
    byte, shift = bit >> np.uint64(3), bit & np.uint64(7)
    word, have = np.uint64(data[byte]) >> shift, np.uint64(8) - shift
    while have < width:
        byte += np.uint64(1)
        word |= np.uint64(data[byte]) << have
        have += np.uint64(8)
    return word & ((np.uint64(1) << width) - np.uint64(1))


@compiled(nogil=True)
def fitting_codes(data: Bytes, position: int, stop: int, count: int, size: int) -> int:
    """``FIT`` if ``count`` codes are there, and each is below ``size``; ``BEYOND`` if one is not.

    The first byte says how many bits a code has. Runs follow: one code many times, or groups
    of eight codes side by side, of which the last may reach over the end. Codes that are too
    short to be wrong are not looked at.
    """
    if position >= stop or not 1 <= data[position] <= 32:
        return OTHER
    bits, width = int(np.int64(data[position])), np.uint64(data[position])
    position += 1
    look = np.uint64(1) << width > np.uint64(size)
    made = 0
    while made < count:
        header, position = varint(data, position, stop)
        if position < 0 or header < 2 or header > _LONGEST_RUN:
            return OTHER
        length = header >> 1
        if header & 1:
            if length > (stop - position) // bits:
                return OTHER
            codes = min(count - made, 8 * length)
            if look:
                # The codes at the page's end are read without the bytes after them.
                quick = max(0, min(codes, (8 * (stop - position - 4)) // bits)) if bits <= 25 else 0
                bit, greatest = np.uint64(8 * position), np.uint64(0)
                for place in range(np.uint64(quick)):
                    greatest = max(greatest, _code(data, bit + place * width, width))
                for place in range(np.uint64(quick), np.uint64(codes)):
                    greatest = max(greatest, _late_code(data, bit + place * width, width))
                if greatest >= np.uint64(size):
                    return BEYOND
            position += length * bits
            made += codes
        else:
            wide = (bits + 7) // 8
            if wide > stop - position:
                return OTHER
            code = np.uint64(0)
            for place in range(wide):
                code |= np.uint64(data[position + place]) << np.uint64(8 * place)
            position += wide
            if code >= np.uint64(size):
                return BEYOND
            if code >> width:
                return OTHER
            made += length
    return FIT


@compiled(nogil=True)
def read_codes(
    data: Bytes, position: int, stop: int, count: int, dictionary: Words, out: Words
) -> bool:
    """Write the entries of ``dictionary`` that ``count`` codes stand for to ``out``.

    Whether that could be done: exactly where ``fitting_codes`` are ``FIT``.
    """
    size, made = np.uint64(len(dictionary)), 0
    if size == np.uint64(0) or count > len(out) or stop > len(data):
        return False
    if position >= stop or not 1 <= data[position] <= 32:
        return False
    bits, width = int(np.int64(data[position])), np.uint64(data[position])
    # With two entries every code stands for one.
    flags = width == np.uint64(1) and size > np.uint64(1)
    first, other = dictionary[0], dictionary[min(1, len(dictionary) - 1)]
    position += 1
    while made < count:
        header, position = varint(data, position, stop)
        if position < 0 or header < 2 or header > _LONGEST_RUN:
            return False
        length = header >> 1
        if header & 1:
            if length > (stop - position) // bits:
                return False
            codes = min(count - made, 8 * length)
            if flags:
                _put_flags(data, position, first, other, out, made, codes)
            elif not _read_group(data, position, width, dictionary, out, made, codes):
                return False
            position += length * bits
            made += codes
        else:
            wide = (bits + 7) // 8
            if wide > stop - position:
                return False
            code = np.uint64(0)
            for place in range(wide):
                code |= np.uint64(data[position + place]) << np.uint64(8 * place)
            position += wide
            if code >= size or code >> width:
                return False
            _put_many(dictionary[code], out, made, min(count, made + length), count)
            made += length
    return True


@compiled(nogil=True, inline="always")
def _put_many(value: Any, out: Words, made: int, last: int, count: int) -> None:
    """Write one entry to the places from ``made`` to before ``last``; perhaps to some more of the
    ``count`` places, which are written later.
    """
    place = made
    if out.itemsize == 1:  # runs are short: eight entries at a time
        word = np.uint64(value) * _ONES
        while place < last and place + 8 <= count:
            put_word(out, np.uint64(place), word)
            place += 8
    for late in range(np.uint64(place), np.uint64(max(place, last))):
        out[late] = value


@compiled(nogil=True, inline="always")
def _put_flags(
    data: Bytes, position: int, first: Any, other: Any, out: Words, made: int, codes: int
) -> None:
    """Write ``other`` for each of ``codes`` flags that is set, and ``first`` for the others."""
    goes = np.uint64(made)
    for byte in range(np.uint64(codes // 8)):
        flags = data[np.uint64(position) + byte]
        if out.itemsize == 1:  # eight entries are one word
            put_word(out, goes + np.uint64(8) * byte, _eight(flags, first, other))
            continue
        for place in range(np.uint64(8)):
            out[goes + np.uint64(8) * byte + place] = (
                other if flags & np.uint8(1 << place) else first
            )
    for late in range(codes - codes % 8, codes):
        out[made + late] = other if (data[position + late // 8] >> (late % 8)) & 1 else first


@compiled(nogil=True)
def _eight(flags: np.uint8, first: np.uint64, other: np.uint64) -> np.uint64:
    """A word of eight bytes: ``other`` where a flag is set, from the lowest on, else ``first``."""
    apart = (np.uint64(flags) * _ONES) & _FLAGS  # each flag in a byte of its own
    chosen = ((apart + _SEVENS) >> np.uint64(7)) & _ONES
    return chosen * np.uint64(other) + (_ONES - chosen) * np.uint64(first)


@compiled(nogil=True)
def _read_group(
    data: Bytes,
    position: int,
    width: np.uint64,
    dictionary: Words,
    out: Words,
    made: int,
    codes: int,
) -> bool:
    """The same for ``codes`` side by side, which are all there, to ``out`` from ``made`` on.

    Groups may be short and many: no array is cut for them, which takes longer than eight codes.
    """
    size, begin, goes = np.uint64(len(dictionary)), np.uint64(8 * position), np.uint64(made)
    last, greatest = size - np.uint64(1), np.uint64(0)
    mask = (np.uint64(1) << width) - np.uint64(1)
    # The codes at the end are read without the bytes after them.
    quick = max(0, min(codes, (8 * (len(data) - position - 8)) // int(width)))
    for place in range(np.uint64(quick)):
        bit = begin + place * width
        word = word_at(data, bit >> np.uint64(3)) >> (bit & np.uint64(7))
        code = word & mask
        greatest = max(greatest, code)
        out[goes + place] = dictionary[min(code, last)]
    for place in range(np.uint64(quick), np.uint64(codes)):
        code = _late_code(data, begin + place * width, width)
        greatest = max(greatest, code)
        out[goes + place] = dictionary[min(code, last)]
    return bool(greatest < size)
