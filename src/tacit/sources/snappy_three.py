"""Three Snappy streams gone over side by side in one loop.

As with two (``snappy_two``), which leave a processor some waiting; with three there is none left.
Unpacking three at once is slower than two: it waits for what it writes. What comes out is what
each stream gives alone (``snappy``), and all loops are total as those are.
"""

from __future__ import annotations

import numpy as np

from tacit.exact.compiled import compiled
from tacit.sources.pages import Bytes
from tacit.sources.snappy import SHORT, announced, pair, pass_piece, pass_rest
from tacit.sources.words_at import word_at

_NONE, _ONE, _THREE = np.uint64(0), np.uint64(1), np.uint64(3)
_A, _B, _C, _ALL = 1, 2, 4, 7
"""Bits that say which of the streams comes upon a piece of another kind, or near its end."""

Places = tuple[np.uint64, np.uint64, np.uint64]
"""Where each stream goes on, or how many bytes it has made."""


@compiled(nogil=True)
def _pass_pairs(
    data: Bytes, at: Places, made: Places, steps: np.uint64
) -> tuple[Places, Places, int]:
    """Go over so many pairs of each stream, or until another piece comes in one of them.

    Eight bytes from each place on say all of a pair.
    """
    a, b, c = at
    made_a, made_b, made_c = made
    for _ in range(steps):
        word_a, word_b, word_c = word_at(data, a), word_at(data, b), word_at(data, c)
        to_a, length_a, back_a, used_a = pair(word_a)
        to_b, length_b, back_b, used_b = pair(word_b)
        to_c, length_c, back_c, used_c = pair(word_c)
        to_a, to_b, to_c = made_a + to_a, made_b + to_b, made_c + to_c
        far = back_a - _ONE >= to_a or back_b - _ONE >= to_b or back_c - _ONE >= to_c
        if (word_a | word_b | word_c) & SHORT != _NONE or far:
            other = _A * int(word_a & SHORT != _NONE or back_a - _ONE >= to_a)
            other |= _B * int(word_b & SHORT != _NONE or back_b - _ONE >= to_b)
            other |= _C * int(word_c & SHORT != _NONE or back_c - _ONE >= to_c)
            return (a, b, c), (made_a, made_b, made_c), other
        made_a, made_b, made_c = to_a + length_a, to_b + length_b, to_c + length_c
        a, b, c = a + used_a, b + used_b, c + used_c
    return (a, b, c), (made_a, made_b, made_c), 0


@compiled(nogil=True)
def sizes_of_three(
    data: Bytes, begins: tuple[int, int, int], ends: tuple[int, int, int], heads: Bytes
) -> tuple[int, int, int]:
    """``snappy_size`` of three streams, each from its begin to its end; their first bytes are
    shown in the rows of ``heads``.
    """
    size_a, first_a = announced(data, begins[0], ends[0])
    size_b, first_b = announced(data, begins[1], ends[1])
    size_c, first_c = announced(data, begins[2], ends[2])
    at = np.uint64(first_a), np.uint64(first_b), np.uint64(first_c)
    end_a, end_b, end_c = np.uint64(ends[0]), np.uint64(ends[1]), np.uint64(ends[2])
    made, shown = (_NONE, _NONE, _NONE), np.uint64(heads.shape[1])
    sound = size_a >= 0 and size_b >= 0 and size_c >= 0
    while sound and at[0] < end_a and at[1] < end_b and at[2] < end_c:
        other = _ALL  # the first bytes are shown piece by piece
        if min(made[0], min(made[1], made[2])) >= shown:
            steps = min(end_a - at[0], min(end_b - at[1], end_c - at[2])) >> _THREE
            at, made, other = _pass_pairs(data, at, made, steps)
            if steps == _NONE:
                break
        a, b, c = at
        made_a, made_b, made_c = made
        if other & _A:
            sound, a, made_a = pass_piece(data, a, end_a, made_a, heads[0])
            size_a = size_a if sound else -1
        if sound and other & _B:
            sound, b, made_b = pass_piece(data, b, end_b, made_b, heads[1])
            size_b = size_b if sound else -1
        if sound and other & _C:
            sound, c, made_c = pass_piece(data, c, end_c, made_c, heads[2])
            size_c = size_c if sound else -1
        at, made = (a, b, c), (made_a, made_b, made_c)
    if size_a >= 0:
        size_a = pass_rest(data, at[0], end_a, made[0], heads[0], size_a)
    if size_b >= 0:
        size_b = pass_rest(data, at[1], end_b, made[1], heads[1], size_b)
    if size_c >= 0:
        size_c = pass_rest(data, at[2], end_c, made[2], heads[2], size_c)
    return size_a, size_b, size_c
