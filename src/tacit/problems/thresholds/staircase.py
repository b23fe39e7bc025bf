"""Ascending sequences between two staircases: counted, and listed by rank.

``z_1 <= ... <= z_m`` with ``lows[b] <= z_b <= highs[b]``: what a table of ``m`` rows must
satisfy to answer every threshold within a given error. The domain falls into at most
``2 m + 1`` segments inside which nothing changes, so the work does not depend on its size.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property
from math import comb


class Staircase:
    """``lows`` and ``highs`` ascend, weakly; values are whole numbers below ``size``."""

    def __init__(self, lows: Sequence[int], highs: Sequence[int], *, size: int) -> None:
        self._lows, self._highs, self._size = lows, highs, size
        inner = {low for low in lows if low < size} | {high + 1 for high in highs if high >= 0}
        self._edges = sorted({0, size} | {edge for edge in inner if 0 < edge < size})

    def __repr__(self) -> str:
        return "Staircase(private)"

    def _segments(self) -> list[tuple[int, int, int, int]]:
        """Start, length, and which places (from, to) may be filled inside."""
        return [
            (start, end - start, bisect_left(self._highs, end - 1), bisect_right(self._lows, start))
            for start, end in zip(self._edges[:-1], self._edges[1:], strict=True)
        ]

    @cached_property
    def _ways(self) -> list[dict[int, int]]:
        """Before each segment, and at the end: ways to have filled the first ``b`` places."""
        ways = [{0: 1}]
        for _, length, first, last in self._segments():
            after: dict[int, int] = {}
            for filled, number in ways[-1].items():
                # Place `filled` had to be filled by now if its highest value has passed.
                if filled < first:
                    continue
                multisets = 1
                after[filled] = after.get(filled, 0) + number
                for more in range(1, last - filled + 1):
                    multisets = multisets * (length + more - 1) // more
                    after[filled + more] = after.get(filled + more, 0) + number * multisets
            ways.append(after)
        return ways

    def count(self) -> int:
        """How many sequences there are."""
        return self._ways[-1].get(len(self._lows), 0)

    def member(self, rank: int) -> list[int]:
        """The sequence of this rank, ``0 <= rank < count()``; every one has one rank."""
        filled, sequence = len(self._lows), []
        for index, (start, length, first, last) in reversed(list(enumerate(self._segments()))):
            before = self._ways[index]
            for earlier in range(filled, first - 1, -1):
                if earlier not in before or (earlier < filled and filled > last):
                    continue
                multisets = comb(length + filled - earlier - 1, filled - earlier)
                block = before[earlier] * multisets
                if rank < block:
                    rank, inside = divmod(rank, multisets)
                    chosen = multiset(inside, length, filled - earlier)
                    sequence += [start + value for value in reversed(chosen)]
                    filled = earlier
                    break
                rank -= block
        return sequence[::-1]


def multiset(rank: int, length: int, size: int) -> list[int]:
    """The multiset of this rank: ``size`` values of ``0, ..., length - 1``, ascending."""
    chosen = []
    for place in range(size, 0, -1):
        # The greatest element of a subset of 0, ..., length + size - 2, by combinations.
        low, high = place - 1, length + place - 1
        while high - low > 1:
            middle = (low + high) // 2
            if comb(middle, place) <= rank:
                low = middle
            else:
                high = middle
        rank -= comb(low, place)
        chosen.append(low - (place - 1))
    return chosen[::-1]
