"""Thresholds inside a class (Alon, Livni, Malliaris, Moran 2019).

``k`` of them force ``floor(log2 k)`` mistakes, by binary search; and a class of large
Littlestone dimension holds some. Finding the most is a longest-chain search.
"""

from __future__ import annotations

from tacit.theory.dimensions.incidence import Bits, Incidence, read
from tacit.theory.dimensions.measured import Clock, Measured, OutOfTime, Progress, silent
from tacit.theory.dimensions.witnesses import EmbeddedThresholds, MistakeTree


def thresholds_within(
    concept_class: object, *, time_limit: float | None = None, progress: Progress = silent
) -> Measured:
    """The largest ``k`` with concepts ``c_1..c_k`` and points ``x_1..x_k`` such that
    ``c_i(x_j) = 1`` exactly if ``i <= j``; an interval when time runs out.

    >>> from tacit.theory.dimensions.named import points, thresholds
    >>> thresholds_within(thresholds(6)).value, thresholds_within(points(6)).value
    (6, 1)
    """
    clock = Clock(time_limit)
    table = read(concept_class)
    search = _Chain(table, clock, progress)
    most = min(len(table.distinct), len(set(table.columns)))
    try:
        search.run()
        most = len(search.best)
    except OutOfTime:
        pass
    return Measured(
        quantity="thresholds",
        least=len(search.best),
        most=max(most, len(search.best)),
        unit="thresholds",
        witnesses=(
            EmbeddedThresholds(
                digest=table.digest,
                points=tuple(x for _, x in search.best),
                concepts=tuple(f for f, _ in search.best),
            ),
        ),
        seconds=clock.seconds,
    )


class _Chain:
    """Depth-first: after ``(c, x)``, later concepts are 0 at ``x``, later points 1 under ``c``.

    ``longest[F, X]`` remembers an upper bound on what can follow with concepts ``F`` and
    points ``X``.
    """

    def __init__(self, table: Incidence, clock: Clock, progress: Progress) -> None:
        self.table, self.clock, self.progress = table, clock, progress
        self.best: list[tuple[int, int]] = []
        self.longest: dict[tuple[Bits, Bits], int] = {}

    def run(self) -> None:
        concepts = sum(1 << f for f in self.table.distinct)
        first = {column: x for x, column in reversed(list(enumerate(self.table.columns)))}
        self._extend([], concepts, sum(1 << x for x in first.values()))

    def _extend(self, chain: list[tuple[int, int]], concepts: Bits, points: Bits) -> int:
        """The most that can follow; chains that cannot beat the best are cut short."""
        if len(chain) > len(self.best):
            self.best = chain
            self.progress(f"thresholds >= {len(chain)}")
        room = min(concepts.bit_count(), points.bit_count())
        room = min(room, self.longest.get((concepts, points), room))
        if len(chain) + room <= len(self.best):
            return room
        self.clock.check()
        steps = []
        for f in _members(concepts):
            for x in _members(points & self.table.rows[f]):
                later = concepts & ~self.table.columns[x]
                after = points & self.table.rows[f] & ~(1 << x)
                steps.append((min(later.bit_count(), after.bit_count()), f, x, later, after))
        steps.sort(reverse=True)
        longest = 0
        for bound, f, x, later, after in steps:
            if bound + 1 <= longest:
                break
            longest = max(longest, 1 + self._extend([*chain, (f, x)], later, after))
        self.longest[concepts, points] = longest
        return longest


def _members(bits: Bits) -> list[int]:
    found = []
    while bits:
        found.append((bits & -bits).bit_length() - 1)
        bits &= bits - 1
    return found


def tree_of(thresholds: EmbeddedThresholds) -> MistakeTree:
    """The mistake tree of depth ``floor(log2 k)`` that ``k`` embedded thresholds carry.

    Node after node it asks the point that halves the concepts that are left.
    """
    depth = max(len(thresholds.concepts), 1).bit_length() - 1
    points: list[int] = []
    level = [(0, 1 << depth)]
    for _ in range(depth):
        below = []
        for start, end in level:
            middle = (start + end) // 2
            points.append(thresholds.points[middle - 1])  # 1 for start..middle-1, 0 beyond
            below += [(middle, end), (start, middle)]
        level = below
    leaves = tuple(thresholds.concepts[start] for start, _ in level)
    return MistakeTree(digest=thresholds.digest, points=tuple(points), leaves=leaves)
