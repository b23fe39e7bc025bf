"""Ways to share out rows among bins with limits: counted, and listed by rank."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

Powers = Callable[[int, int, int], tuple[int, ...]]


def powers(bins: int, most: int, rows: int) -> tuple[int, ...]:
    """For ``j = 0, ..., rows``: ways to put ``j`` rows into ``bins`` bins of at most ``most``.

    The coefficients of ``(1 + y + ... + y^most)^bins``, by the recurrence that its logarithmic
    derivative gives; ``bins`` may be astronomically large.
    """
    found = [1]
    for j in range(1, rows + 1):
        total = sum((bins * i - (j - i)) * found[j - i] for i in range(1, min(j, most) + 1))
        found.append(total // j)
    return tuple(found)


def member(
    rank: int, *, bins: int, most: int, rows: int, first: int = 0, ways: Powers = powers
) -> dict[int, int]:
    """The allotment of this rank: bins (from ``first`` on) that got rows, and how many.

    ``ways`` is ``powers``, or a version that remembers.
    """
    if rows == 0:
        return {}
    if bins == 1:
        return {first: rows}
    left = bins // 2
    for here in range(rows + 1):
        there = ways(bins - left, most, rows)[rows - here]
        block = ways(left, most, rows)[here] * there
        if rank < block:
            high, low = divmod(rank, there)
            lower = member(high, bins=left, most=most, rows=here, first=first, ways=ways)
            return lower | member(
                low,
                bins=bins - left,
                most=most,
                rows=rows - here,
                first=first + left,
                ways=ways,
            )
        rank -= block
    raise ValueError("there is no allotment of this rank")


@dataclass(frozen=True, slots=True)
class Group:
    """``bins`` bins that each take from ``least`` to ``most`` rows."""

    bins: int
    least: int
    most: int


class Allotments:
    """All ways to give ``rows`` rows to the bins of several groups."""

    def __init__(self, groups: list[Group], *, rows: int) -> None:
        self.groups, self._rows = groups, rows
        self._spare = rows - sum(group.bins * group.least for group in groups)
        self._before: list[list[int]] = []
        # Remembered here and nowhere else: the numbers of bins come from the data.
        self._powers = cache(powers)
        if self._spare < 0 or any(group.most < group.least for group in groups):
            return
        ways = [1] + [0] * self._spare
        self._before.append(ways)
        for group in groups:
            own = self._powers(group.bins, group.most - group.least, self._spare)
            ways = [sum(ways[j - i] * own[i] for i in range(j + 1)) for j in range(self._spare + 1)]
            self._before.append(ways)

    def __repr__(self) -> str:
        return "Allotments(private)"

    def count(self) -> int:
        return self._before[-1][self._spare] if self._before else 0

    def member(self, rank: int) -> list[dict[int, int]]:
        """For each group, the rows above ``least`` of the bins that have some."""
        chosen: list[dict[int, int]] = []
        spare = self._spare
        for index, group in reversed(list(enumerate(self.groups))):
            room = group.most - group.least
            own = self._powers(group.bins, room, spare)
            for here in range(spare + 1):
                block = self._before[index][spare - here] * own[here]
                if rank < block:
                    rank, inside = divmod(rank, own[here])
                    chosen.append(
                        member(inside, bins=group.bins, most=room, rows=here, ways=self._powers)
                    )
                    spare -= here
                    break
                rank -= block
        return chosen[::-1]
