"""Compiled unpacking of Snappy streams, or only seeing that one can be unpacked.

All loops are total: bytes that are no such stream give a sign and never a fault. No place
outside of what was passed is read or written. They are for machines whose words begin with the
lowest byte.
"""

from __future__ import annotations

import numpy as np

from tacit.exact.compiled import compiled
from tacit.sources.pages import Bytes, Words
from tacit.sources.words_at import copy_8, copy_16, put_word, word_at

_NONE, _ONE, _TWO, _THREE, _FOUR = (np.uint64(number) for number in range(5))
_EIGHT, _PIECE = np.uint64(8), np.uint64(16)
_BYTE, _LONG = np.uint64(0xFF), np.uint64(0xFFFFFFFF)
SHORT = np.uint64(0xF3)
"""Bits of a tag that are all 0 if it announces at most four bytes that follow as they are."""
_TAGS = 256
_BITS, _HIGHER = np.uint64(_TAGS), np.uint64(2 * _TAGS)
_LONGEST = np.uint64(60)
"""More bytes as they are have their number after the tag."""


@compiled(nogil=True)
def announced(data: Bytes, start: int, stop: int) -> tuple[int, int]:
    """How many bytes a stream says it unpacks to, or -1, and where its pieces begin."""
    if start < 0 or stop > len(data):
        return -1, start
    size, shift, place = 0, 0, start
    while place < stop and shift <= 21:  # at most 2^28: pages are shorter
        byte = int(np.int64(data[place]))
        place += 1
        size |= (byte & 127) << shift
        if byte < 128:
            return size, place
        shift += 7
    return -1, place


@compiled(nogil=True)
def _word(data: Bytes, place: np.uint64, last: np.uint64) -> np.uint64:
    """The eight bytes from ``place`` on, and 0 for those from ``last`` on."""
    if last - place >= _EIGHT:
        return word_at(data, place)  # type: ignore[no-any-return]
    word = _NONE
    for more in range(last - place):
        word |= np.uint64(data[place + more]) << (_EIGHT * more)
    return word


def _near_copies(longest: int) -> Words:
    """What each tag says of a piece that is copied from less than 2^16 bytes back: how many bytes,
    which bits of the word that begins with the tag are the lower of how far back, and the higher.

    All 0 for tags of other pieces, and of more than ``longest`` bytes. One after another for all
    tags, so that a tag is a place in each.
    """
    said = np.zeros((3, _TAGS), dtype=np.uint64)
    for tag in range(_TAGS):
        if tag & 3 == 1:
            said[:, tag] = ((tag >> 2) & 7) + 4, 0xFF00, (tag >> 5) << 8
        elif tag & 3 == 2:
            said[:, tag] = (tag >> 2) + 1, 0xFFFF00, 0
        if said[0, tag] > longest:
            said[:, tag] = 0
    return said.ravel()


_COPIES, _COPIES_8 = _near_copies(64), _near_copies(8)


@compiled(nogil=True)
def _near(word: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Of a piece copied from less than 2^16 bytes back, by the word that begins with its tag:
    how many bytes, and from how far back; 0 for a piece of another kind.

    Which of two kinds it is cannot be foretold: a table says it, and no branch is taken.
    """
    tag = word & _BYTE
    back = ((word & _COPIES[tag + _BITS]) >> _EIGHT) | _COPIES[tag + _HIGHER]
    return _COPIES[tag], back


@compiled(nogil=True)
def _piece(word: np.uint64) -> tuple[np.uint64, np.uint64, np.uint64]:
    """The piece whose first bytes these are: how many bytes it makes, from how far back (0 if
    they follow as they are), and how many bytes of the stream say so.
    """
    kind, length = word & _THREE, ((word & _BYTE) >> _TWO) + _ONE
    if kind == _NONE:
        if length <= _LONGEST:
            return length, _NONE, _ONE
        more = length - _LONGEST
        return ((word >> _EIGHT) & ((_ONE << (_EIGHT * more)) - _ONE)) + _ONE, _NONE, _ONE + more
    if kind == _THREE:
        return length, (word >> _EIGHT) & _LONG, np.uint64(5)
    length, back = _near(word)
    return length, back, kind + _ONE


@compiled(nogil=True)
def pair(word: np.uint64) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """At most four bytes as they are and then a near copy, by the word that begins with both tags:
    how many bytes are given, how many copied and from how far back, how many say so.

    Only where ``word & SHORT`` is 0. Where the second tag is another one, 0 bytes back. The next
    pair waits for the last number: it is made in as few steps as can be.
    """
    shift = (word + word + _PIECE) & np.uint64(62)  # twice the first tag is 8 bits a byte
    copied, used = word >> shift, shift >> _THREE
    length, back = _near(copied)
    return used - _ONE, length, back, used + (copied & _THREE) + _ONE


@compiled(nogil=True)
def pair_of_8(word: np.uint64) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """``pair``, and 0 bytes back where more than eight are copied."""
    shift = (word + word + _PIECE) & np.uint64(62)
    copied, used = word >> shift, shift >> _THREE
    tag = copied & _BYTE
    back = ((copied & _COPIES_8[tag + _BITS]) >> _EIGHT) | _COPIES_8[tag + _HIGHER]
    return used - _ONE, _COPIES_8[tag], back, used + (copied & _THREE) + _ONE


@compiled(nogil=True)
def _pass_pairs(
    data: Bytes, place: np.uint64, last: np.uint64, made: np.uint64
) -> tuple[np.uint64, np.uint64]:
    """Go over pairs of pieces, at most four bytes as they are and then a near copy, until
    anything else comes; the two places then.

    Numbers of eight bytes of which half are the same in many values are packed so. Unsigned
    numbers go from 0 to the greatest: one comparison tells 0 bytes back too.
    """
    while place + _EIGHT <= last:
        for _ in range((last - place) >> _THREE):  # eight bytes say all of a pair
            word = word_at(data, place)
            given, length, back, used = pair(word)
            if word & SHORT or back - _ONE >= made + given:
                return place, made
            made += given + length
            place += used
    return place, made


@compiled(nogil=True)
def pass_piece(
    data: Bytes, place: np.uint64, last: np.uint64, made: np.uint64, head: Bytes
) -> tuple[bool, np.uint64, np.uint64]:
    """Go over one piece and show in ``head`` what it makes of the first bytes, not yet made.

    Whether the piece is sound, and the two places after it.
    """
    word = _word(data, place, last)
    length, back, used = _piece(word)
    if used > last - place:
        return False, place, made
    place += used
    shown = min(length, np.uint64(len(head)) - made) if made < np.uint64(len(head)) else _NONE
    if word & _THREE == _NONE:
        if length > last - place:
            return False, place, made
        for step in range(shown):
            head[made + step] = data[place + step]
        place += length
    else:
        if back - _ONE >= made:  # none lies 0 bytes back: 0 - 1 is the greatest number
            return False, place, made
        for step in range(shown):
            head[made + step] = head[made + step - back]
    return True, place, made + length


@compiled(nogil=True)
def pass_rest(
    data: Bytes, place: np.uint64, last: np.uint64, made: np.uint64, head: Bytes, size: int
) -> int:
    """``snappy_size`` of a stream of which some pieces were gone over."""
    begun = np.uint64(len(head))
    while place < last:
        if made >= begun:
            place, made = _pass_pairs(data, place, last, made)
            if place == last:
                break
        fine, place, made = pass_piece(data, place, last, made, head)
        if not fine:
            return -1
    return size if made == np.uint64(size) else -1


@compiled(nogil=True)
def snappy_size(data: Bytes, start: int, stop: int, head: Bytes) -> int:
    """How many bytes a Snappy stream unpacks to, or -1 if it cannot be unpacked.

    Nothing is unpacked but the first bytes, into ``head``: a stream is sound if every piece
    copied begins among the bytes before it and all lengths add up to the one it announces.
    """
    size, first = announced(data, start, stop)
    if size < 0:
        return -1
    return int(pass_rest(data, np.uint64(first), np.uint64(stop), _NONE, head, size))


@compiled(nogil=True)
def _unpack_pairs(
    data: Bytes, place: np.uint64, last: np.uint64, out: Bytes, made: np.uint64
) -> tuple[np.uint64, np.uint64]:
    """As ``_pass_pairs``, and unpack those that copy at most eight bytes, none of the last eight,
    while there is room for sixteen: a pair makes at most twelve.
    """
    room = np.uint64(len(out))
    while made >= _EIGHT:
        steps = min((last - place) >> _THREE, (room - made) >> _FOUR)
        if steps == _NONE:
            break
        for _ in range(steps):
            word = word_at(data, place)
            given, length, back, used = pair_of_8(word)
            if word & SHORT or back - _EIGHT > made + given - _EIGHT:
                return place, made
            put_word(out, made, word >> _EIGHT)
            made += given
            copy_8(out, made, out, made - back)
            made += length
            place += used
    return place, made


@compiled(nogil=True)
def unpack_piece(
    data: Bytes, place: np.uint64, last: np.uint64, out: Bytes, made: np.uint64, whole: np.uint64
) -> tuple[bool, np.uint64, np.uint64]:
    """Unpack one piece of a stream that makes ``whole`` bytes, for which there is room.

    Whether the piece is sound, and the two places after it.
    """
    there, room = np.uint64(len(data)), np.uint64(len(out))
    word = _word(data, place, last)
    length, back, used = _piece(word)
    if used > last - place or made > whole or length > whole - made:
        return False, place, made
    place += used
    ample = made + length + _PIECE <= room
    if word & _THREE == _NONE:
        if length > last - place:
            return False, place, made
        if ample and place + length + _PIECE <= there:
            for step in range(_NONE, length, _PIECE):
                copy_16(out, made + step, data, place + step)
        else:
            for step in range(length):
                out[made + step] = data[place + step]
        place += length
    else:
        if back - _ONE >= made:
            return False, place, made
        if ample and back >= _PIECE:
            for step in range(_NONE, length, _PIECE):
                copy_16(out, made + step, out, made + step - back)
        else:
            for step in range(length):
                out[made + step] = out[made + step - back]
    return True, place, made + length


@compiled(nogil=True)
def unpack_rest(
    data: Bytes, place: np.uint64, last: np.uint64, out: Bytes, made: np.uint64, size: int
) -> int:
    """``unpack`` of a stream of which some pieces were unpacked; there is room for all."""
    whole = np.uint64(size)
    while place < last:
        place, made = _unpack_pairs(data, place, last, out, made)
        if place == last:
            break
        fine, place, made = unpack_piece(data, place, last, out, made, whole)
        if not fine:
            return -1
    return size if made == whole else -1


@compiled(nogil=True)
def unpack(data: Bytes, start: int, stop: int, out: Bytes) -> int:
    """Unpack a Snappy stream into ``out``: how many bytes, or -1 if it cannot be, or not there.

    Bytes of ``out`` after these may be written too. Quickest where sixteen bytes follow the
    stream in ``data``, and more of ``out`` is left.
    """
    size, first = announced(data, start, stop)
    if size < 0 or size > len(out):
        return -1
    return int(unpack_rest(data, np.uint64(first), np.uint64(stop), out, _NONE, size))
