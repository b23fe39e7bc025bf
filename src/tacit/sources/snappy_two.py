"""Two Snappy streams gone over or unpacked side by side in one loop.

Where a piece begins is known once the piece before it was read, so a processor mostly waits; with
two streams it reads one while it waits for the other. What comes out is what each stream gives
alone (``snappy``), and all loops are total as those are.
"""

from __future__ import annotations

import numpy as np

from tacit.exact.compiled import compiled
from tacit.sources.pages import Bytes
from tacit.sources.snappy import (
    SHORT,
    announced,
    pair,
    pass_piece,
    pass_rest,
    unpack_piece,
    unpack_rest,
)
from tacit.sources.words_at import copy_8, copy_16, word_at

_NONE, _ONE, _EIGHT, _PIECE = np.uint64(0), np.uint64(1), np.uint64(8), np.uint64(16)
_ROOM = np.uint64(32)
_NO: np.bool_ = np.bool_(False)  # noqa: FBT003
_YES: np.bool_ = np.bool_(True)  # noqa: FBT003


@compiled(nogil=True)
def sizes_of_two(
    data: Bytes, start: int, stop: int, head: Bytes, begin: int, end: int, top: Bytes
) -> tuple[int, int]:
    """``snappy_size`` of the stream from ``start`` with its ``head``, and of that from ``begin``
    with its ``top``.
    """
    size, first = announced(data, start, stop)
    other, second = announced(data, begin, end)
    place, last, made = np.uint64(first), np.uint64(stop), _NONE
    there, ends, done = np.uint64(second), np.uint64(end), _NONE
    if size < 0 or other < 0:
        last, ends = place, there  # nothing is gone over
    shown, seen = np.uint64(len(head)), np.uint64(len(top))
    while place < last and there < ends:
        one, two = made < shown, done < seen  # the first bytes are shown piece by piece
        if not (one or two):
            while place + _EIGHT <= last and there + _EIGHT <= ends:
                word, more = word_at(data, place), word_at(data, there)
                given, length, back, used = pair(word)
                first_given, first_length, first_back, first_used = pair(more)
                one = word & SHORT != _NONE or back - _ONE >= made + given
                two = more & SHORT != _NONE or first_back - _ONE >= done + first_given
                if one or two:
                    break
                made += given + length
                done += first_given + first_length
                place += used
                there += first_used
            one |= place + _EIGHT > last
            two |= there + _EIGHT > ends
        if one and place < last:
            fine, place, made = pass_piece(data, place, last, made, head)
            if not fine:
                size, last = -1, place
        if two and there < ends:
            fine, there, done = pass_piece(data, there, ends, done, top)
            if not fine:
                other, ends = -1, there
    if size >= 0:
        size = pass_rest(data, place, np.uint64(stop), made, head, size)
    if other >= 0:
        other = pass_rest(data, there, np.uint64(end), done, top, other)
    return size, other


@compiled(nogil=True)
def unpack_two(
    data: Bytes, start: int, stop: int, out: Bytes, begin: int, end: int, into: Bytes
) -> tuple[int, int]:
    """``unpack`` of the stream from ``start`` into ``out``, and of that from ``begin`` into
    ``into``.
    """
    size, first = announced(data, start, stop)
    other, second = announced(data, begin, end)
    size = -1 if size > len(out) else size
    other = -1 if other > len(into) else other
    place, last, made = np.uint64(first), np.uint64(stop), _NONE
    goes, ends, done = np.uint64(second), np.uint64(end), _NONE
    if size < 0 or other < 0:
        last, ends = place, goes  # nothing is unpacked
    there, room, space = np.uint64(len(data)), np.uint64(len(out)), np.uint64(len(into))
    while place < last and goes < ends:
        one, two = _NO, _NO
        while (
            place + _EIGHT <= last
            and goes + _EIGHT <= ends
            and max(place, goes) + _PIECE < there
            and made + _ROOM <= room
            and done + _ROOM <= space
        ):
            word, more = word_at(data, place), word_at(data, goes)
            given, length, back, used = pair(word)
            first_given, first_length, first_back, first_used = pair(more)
            # What is copied may be among what it makes, if it lies near: no eight bytes at once.
            one = word & SHORT != _NONE or back - _ONE >= made + given
            one |= back < _EIGHT or length > _EIGHT
            two = more & SHORT != _NONE or first_back - _ONE >= done + first_given
            two |= first_back < _EIGHT or first_length > _EIGHT
            if one or two:
                break
            copy_16(out, made, data, place + _ONE)
            copy_16(into, done, data, goes + _ONE)
            made += given
            done += first_given
            copy_8(out, made, out, made - back)
            copy_8(into, done, into, done - first_back)
            made += length
            done += first_length
            place += used
            goes += first_used
        if not (one or two):  # too near to some end
            one, two = _YES, _YES
        if one and place < last:
            fine, place, made = unpack_piece(data, place, last, out, made, np.uint64(size))
            if not fine:
                size, last = -1, place
        if two and goes < ends:
            fine, goes, done = unpack_piece(data, goes, ends, into, done, np.uint64(other))
            if not fine:
                other, ends = -1, goes
    if size >= 0:
        size = unpack_rest(data, place, np.uint64(stop), out, made, size)
    if other >= 0:
        other = unpack_rest(data, goes, np.uint64(end), into, done, other)
    return size, other
