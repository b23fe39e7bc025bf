"""Many Snappy streams gone over three at a time in one loop: what each unpacks to.

Where a piece begins is known once the piece before it was read, so a processor mostly waits; with
three streams it reads two while it waits for the third. A place that is through with a stream goes
on with the next one. What comes out is what each stream gives alone (``snappy``), and all loops
are total as those are.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.exact.compiled import compiled
from tacit.sources.pages import Bytes
from tacit.sources.snappy import SHORT, announced, pair, pass_piece, pass_rest
from tacit.sources.words_at import word_at

_NONE, _ONE, _EIGHT = np.uint64(0), np.uint64(1), np.uint64(8)
_THREE = np.uint64(3)
_A, _B, _C = 1, 2, 4
"""Bits that say which of three streams comes upon a piece that is no pair."""

Numbers = npt.NDArray[np.int64]
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
def snappy_sizes(data: Bytes, begins: Numbers, ends: Numbers, heads: Bytes, sizes: Numbers) -> None:
    """Write the ``snappy_size`` of each stream, from its begin to its end, to ``sizes``; the first
    bytes of each are shown in its row of ``heads``.
    """
    at, last, made = np.zeros(3, np.uint64), np.zeros(3, np.uint64), np.zeros(3, np.uint64)
    which, told = np.full(3, -1, np.int64), np.zeros(3, np.int64)
    goes_on, shown = 0, np.uint64(heads.shape[1])
    while True:
        for lane in range(3):
            while at[lane] >= last[lane]:
                if which[lane] >= 0:  # all of it was gone over, or a piece was wrong
                    whole = told[lane] >= 0 and made[lane] == np.uint64(told[lane])
                    sizes[which[lane]] = told[lane] if whole else -1
                    which[lane] = -1
                if goes_on == len(begins):
                    break
                size, first = announced(data, begins[goes_on], ends[goes_on])
                which[lane], told[lane], made[lane] = goes_on, size, _NONE
                at[lane] = np.uint64(first)
                last[lane] = np.uint64(ends[goes_on]) if size >= 0 else at[lane]
                goes_on += 1
        if which.min() < 0:
            break
        other, steps = 0, min(last[0] - at[0], min(last[1] - at[1], last[2] - at[2])) >> _THREE
        for lane in range(3):  # the first bytes are shown, and the last gone over, piece by piece
            if made[lane] < shown or last[lane] - at[lane] < _EIGHT:
                other |= 1 << lane
        if not other:
            places, found = (at[0], at[1], at[2]), (made[0], made[1], made[2])
            places, found, other = _pass_pairs(data, places, found, steps)
            at[0], at[1], at[2] = places
            made[0], made[1], made[2] = found
        for lane in range(3):
            if other >> lane & 1:
                head = heads[which[lane]]
                fine, at[lane], made[lane] = pass_piece(
                    data, at[lane], last[lane], made[lane], head
                )
                if not fine:
                    told[lane], last[lane] = -1, at[lane]
    for lane in range(3):
        one = which[lane]
        if one >= 0:
            sizes[one] = pass_rest(data, at[lane], last[lane], made[lane], heads[one], told[lane])
