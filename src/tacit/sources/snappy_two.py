"""Two Snappy streams unpacked side by side in one loop.

Where a piece begins is known once the piece before it was read, so a processor mostly waits; with
two streams it reads one while it waits for the other. Three would wait for what they write. What
comes out is what each stream gives alone (``snappy``), and all loops are total as those are.
"""

from __future__ import annotations

import numpy as np

from tacit.exact.compiled import compiled
from tacit.sources.pages import Bytes
from tacit.sources.snappy import (
    SHORT,
    announced,
    pair_of_8,
    unpack_piece,
    unpack_rest,
)
from tacit.sources.words_at import copy_8, put_word, word_at

_NONE, _ONE, _EIGHT = np.uint64(0), np.uint64(1), np.uint64(8)
_THREE, _FOUR = np.uint64(3), np.uint64(4)


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
    room, space = np.uint64(len(out)), np.uint64(len(into))
    while place < last and goes < ends:
        one, two = bool(made < _EIGHT), bool(done < _EIGHT)
        if not (one or two):
            steps = min(
                min(last - place, ends - goes) >> _THREE, min(room - made, space - done) >> _FOUR
            )
            for _ in range(steps):
                word, more = word_at(data, place), word_at(data, goes)
                given, length, back, used = pair_of_8(word)
                # What lies nearer may be among what is made: not eight bytes at once.
                if word & SHORT != _NONE or back - _EIGHT > made + given - _EIGHT:
                    one = True
                    break
                first_given, first_length, first_back, first_used = pair_of_8(more)
                if more & SHORT != _NONE or first_back - _EIGHT > done + first_given - _EIGHT:
                    two = True
                    break
                put_word(out, made, word >> _EIGHT)
                put_word(into, done, more >> _EIGHT)
                made += given
                done += first_given
                copy_8(out, made, out, made - back)
                copy_8(into, done, into, done - first_back)
                made += length
                done += first_length
                place += used
                goes += first_used
            if steps == _NONE:  # too near to some end
                one = two = True
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
