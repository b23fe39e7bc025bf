"""Where the columns of a Parquet file lie: what its last bytes say, read by a compiled loop.

Arrow ends the process when it is asked for this and the bytes are damaged. Here they give a sign
and never a fault; no place outside of what was passed is read or written.
"""

from __future__ import annotations

import os
from functools import cache
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

from tacit.exact.compiled import compiled
from tacit.sources.pages import LAST_FIELD, Bytes, varint

Found = npt.NDArray[np.int64]

TYPE, CODEC, VALUES, SIZE, DATA, DICTIONARY, ELSEWHERE, LETTERS, REPEATS, LEVELS = range(10)
"""What is found of one column of one row group; -1 where nothing is said. The last two are how
many numbers the counts of its levels have."""
PARTS = 10
_END, _MARK = 8, b"PAR1"
_MOST = 1 << 28
"""Bytes of a footer; columns of a longer one are left to Arrow."""

_FILE, _GROUPS, _GROUP, _CHUNKS, _CHUNK, _COLUMN, _SIZES, _OTHER = range(8)
"""What a structure or a list of the footer is."""
_FIELDS = np.array([-1, TYPE, -1, -1, CODEC, VALUES, -1, SIZE, -1, DATA, -1, DICTIONARY])
"""What the fields of a column are."""
_DEEPEST = 16


@cache
def prepare() -> None:
    """Compile what reads footers: after a charge nothing may be."""
    read_footer(_as_bytes(b"\0"), np.empty((0, 0, PARTS), dtype=np.int64))


def _as_bytes(data: bytes) -> Bytes:
    return np.frombuffer(data, dtype=np.uint8)


def find_chunks(file: BinaryIO, groups: int, columns: int) -> Found | None:
    """What the footer says of every column of every row group; ``None`` if it is unusual."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - _END))
    end = file.read(_END)
    long = int.from_bytes(end[:4], "little")
    if end[4:] != _MARK or not 0 < long <= min(size - _END, _MOST):
        return None
    file.seek(size - _END - long)
    data = _as_bytes(file.read(long))
    found = np.empty((groups, columns, PARTS), dtype=np.int64)
    return found if len(data) == long and read_footer(data, found) else None


@compiled(nogil=True)
def _inside(what: int, field: int) -> int:
    """What a structure or a list is that lies in another one, as this field of it."""
    if what == _FILE and field == 4:
        return _GROUPS
    if what == _GROUPS:
        return _GROUP
    if what == _GROUP and field == 1:
        return _CHUNKS
    if what == _CHUNKS:
        return _CHUNK
    if what == _CHUNK and field == 3:
        return _COLUMN
    return _SIZES if what == _COLUMN and field == 16 else _OTHER


@compiled(nogil=True)
def _part(what: int, field: int) -> int:
    """Where in ``found`` this field belongs, or -1."""
    if what == _COLUMN and 0 <= field < len(_FIELDS):
        return int(_FIELDS[field])
    return LETTERS if what == _SIZES and field == 1 else -1


@compiled(nogil=True)
def read_footer(data: Bytes, found: Found) -> bool:
    """Read a footer into ``found[row group, column]``; whether it is one of as many of both.

    It is a Thrift structure in the compact form. Fields that are not asked for are passed over.
    A column that is encrypted or lies in another file has 1 at ``ELSEWHERE``.
    """
    groups, columns, _ = found.shape
    found[:] = -1
    stop, position, group, column = len(data), 0, -1, columns - 1
    whats, kinds = np.zeros(_DEEPEST, np.int64), np.zeros(_DEEPEST, np.int64)
    lasts, lefts = np.zeros(_DEEPEST, np.int64), np.zeros(_DEEPEST, np.int64)
    depth = 0
    while position < stop:
        what, field = int(whats[depth]), 0
        if kinds[depth]:  # a list of so many more
            if lefts[depth] == 0:
                depth -= 1
                continue
            lefts[depth] -= 1
            kind = kinds[depth]
            position += 1 if kind <= 2 else 0  # in a list a truth value is a byte
        else:
            byte = np.int64(data[position])
            position += 1
            if byte == 0:
                if depth == 0:
                    return bool(group == groups - 1 and column == columns - 1)
                depth -= 1
                continue
            kind = byte & 15
            if byte >> 4 == 0:
                value, position = varint(data, position, stop)
                if position < 0:
                    return False
                lasts[depth] = (value >> 1) ^ -(value & 1)
            else:
                lasts[depth] += byte >> 4
            field = int(lasts[depth])
            if field < 0 or field > LAST_FIELD:
                return False
        if what == _CHUNK and (field == 1 or field == 8 or field == 9):
            found[group, column, ELSEWHERE] = 1
        if kind == 1 or kind == 2:
            continue
        if kind == 3:
            position += 1
        elif 4 <= kind <= 6:
            value, position = varint(data, position, stop)
            if position < 0:
                return False
            part = _part(what, field)
            if part >= 0:
                short = part in (TYPE, CODEC)  # Arrow passes over numbers of another length
                if found[group, column, part] != -1 or kind != (5 if short else 6):
                    return False
                found[group, column, part] = (value >> 1) ^ -(value & 1)
        elif kind == 7:
            position += 8
        elif kind == 8:
            value, position = varint(data, position, stop)
            if position < 0 or value > stop - position:
                return False
            position += value
        elif (kind == 9 or kind == 12) and depth + 1 < _DEEPEST:
            inside = _inside(what, field)
            listed = inside in (_GROUPS, _CHUNKS)
            if inside != _OTHER and listed != (kind == 9):
                return False
            depth += 1
            whats[depth], lasts[depth], kinds[depth] = inside, 0, 0
            if kind == 9:
                if position >= stop:
                    return False
                byte = np.int64(data[position])
                position += 1
                kinds[depth], lefts[depth] = byte & 15, byte >> 4
                if byte >> 4 == 15:
                    lefts[depth], position = varint(data, position, stop)
                if position < 0 or kinds[depth] == 0 or lefts[depth] > stop - position:
                    return False
                if listed and kinds[depth] != 12:
                    return False
                if what == _SIZES and (field == 2 or field == 3):
                    found[group, column, REPEATS + field - 2] = lefts[depth]
            elif inside == _GROUP:
                if column != columns - 1 or group + 1 >= groups:
                    return False
                group, column = group + 1, -1
            elif inside == _CHUNK:
                column += 1
                if column >= columns:
                    return False
        else:
            return False
    return False
