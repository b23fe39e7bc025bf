"""Littlestone dimension by decision search, with the mistake tree as witness.

``MistakeSearch.forces(V, k)`` asks whether an adversary can force ``k`` mistakes on every
learner that knows only that the concept is in ``V``. Three facts keep it fast: ``2**k``
concepts are needed; a split is worth trying only if both sides have ``2**(k-1)``; and what
was found out about a set is remembered. Time is ``|C|**O(log |C|)`` in the worst case,
which is believed necessary (Manurangsi 2023).
"""

from __future__ import annotations

from tacit.theory.dimensions.incidence import Bits, Incidence, read
from tacit.theory.dimensions.measured import Clock, Measured, OutOfTime, Progress, silent
from tacit.theory.dimensions.witnesses import MistakeBound, MistakeTree, Witness

_PROOF_SETS = 20_000
"""A written-out proof of the upper side is kept up to this many sets."""


def littlestone(
    concept_class: object, *, time_limit: float | None = None, progress: Progress = silent
) -> Measured:
    """The number of mistakes that an adversary can force; -1 for the empty class.

    Witnesses: a complete mistake tree of that depth, and, unless counting concepts
    settles it or the search was very long, a proof that no deeper one exists. When
    ``time_limit`` seconds run out the result is an interval.

    >>> littlestone([[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1]]).value
    2
    """
    clock = Clock(time_limit)
    table = read(concept_class)
    search = MistakeSearch(table, clock)
    counting = len(table.distinct).bit_length() - 1
    least, most, upper_by = min(counting, 0), counting, "counting"
    try:
        least = search.quickly(counting)
        progress(f"Littlestone >= {least}")
        for k in range(least + 1, counting + 1):
            if not search.forces(search.everything, k):
                most, upper_by = k - 1, "search"
                break
            least = k
            progress(f"Littlestone >= {k}")
    except OutOfTime:
        pass
    witnesses: list[Witness] = []
    if least >= 0:
        witnesses.append(search.tree(least))
    if upper_by == "search" and len(search.upper) <= _PROOF_SETS:
        witnesses.append(search.proof(most))
    return Measured(
        quantity="Littlestone",
        least=least,
        most=most,
        unit="mistakes",
        witnesses=tuple(witnesses),
        seconds=clock.seconds,
        upper_by=upper_by,
    )


class MistakeSearch:
    """What is known about the Littlestone dimension of sets of concepts of one table.

    ``lower[V] = (k, x)`` means that asking ``x`` first forces ``k`` mistakes;
    ``upper[V] = k`` that more than ``k`` cannot be forced.
    """

    def __init__(self, table: Incidence, clock: Clock | None = None) -> None:
        self.table = table
        self.clock = clock or Clock()
        self.everything: Bits = sum(1 << f for f in table.distinct)
        self.cuts = [(table.columns[x], x) for x in table.cuts]
        self.lower: dict[Bits, tuple[int, int]] = {}
        self.upper: dict[Bits, int] = {}

    def forces(self, concepts: Bits, k: int) -> bool:
        """Whether ``k`` mistakes can be forced; ``concepts`` holds no duplicates."""
        return self._forces(concepts, concepts.bit_count(), k, self.cuts)

    def dimension(self, concepts: Bits) -> int:
        """Littlestone dimension of a set of different concepts."""
        k = -1
        while self.forces(concepts, k + 1):
            k += 1
        return k

    def _forces(self, V: Bits, size: int, k: int, cuts: list[tuple[Bits, int]]) -> bool:
        if k <= 0:
            return size > 0
        if size < 1 << k:
            return False
        if k <= self.lower.get(V, (0, 0))[0]:
            return True
        if k > self.upper.get(V, k):
            return False
        self.clock.check()
        splits, inner = _splits(V, size, 1 << (k - 1), cuts)
        if k == 1:
            self.lower[V] = (1, inner[0][1])
            return True
        for small, count, x in splits:
            if self._forces(small, count, k - 1, inner) and self._forces(
                V ^ small, size - count, k - 1, inner
            ):
                self.lower[V] = (k, x)
                return True
        self.upper[V] = k - 1
        return False

    def quickly(self, limit: int) -> int:
        """A lower bound by splitting as evenly as possible: often the answer, and cheap."""
        if limit < 0:
            return -1
        return self._evenly(self.everything, self.everything.bit_count(), limit, self.cuts)

    def _evenly(self, V: Bits, size: int, limit: int, cuts: list[tuple[Bits, int]]) -> int:
        if size < 2 or limit <= 0:
            return 0
        self.clock.check()
        ((small, count, x), *_), inner = _splits(V, size, 1, cuts)
        k = self._evenly(small, count, limit - 1, inner)
        k = 1 + self._evenly(V ^ small, size - count, k, inner)
        if k > self.lower.get(V, (0, 0))[0]:
            self.lower[V] = (k, x)
        return k

    def tree(self, depth: int) -> MistakeTree:
        """The mistake tree behind a true answer of ``forces(everything, depth)``."""
        points: list[int] = []
        level = [self.everything]
        for left in range(depth, 0, -1):
            below = []
            for V in level:
                x = self._question(V, left)
                points.append(x)
                ones = V & self.table.columns[x]
                below += [V ^ ones, ones]
            level = below
        leaves = tuple((V & -V).bit_length() - 1 for V in level)
        return MistakeTree(digest=self.table.digest, points=tuple(points), leaves=leaves)

    def _question(self, V: Bits, k: int) -> int:
        if V not in self.lower or self.lower[V][0] < k:
            assert self.forces(V, k)
        return self.lower[V][1]

    def proof(self, limit: int) -> MistakeBound:
        """The facts that together prove ``Littlestone <= limit``, smallest sets first."""
        wanted: dict[Bits, int] = {}
        queue = [(self.everything, limit)]
        while queue:
            V, k = queue.pop()
            if V.bit_count() < 2 << k or wanted.get(V, k + 1) <= k:
                continue
            wanted[V] = k
            for column, _ in self.cuts:
                ones = V & column
                if ones and ones != V:
                    queue.append((self._weak_side(ones, V ^ ones, k), k - 1))
        ordered = sorted(wanted, key=lambda V: (V.bit_count(), V))
        return MistakeBound(
            digest=self.table.digest,
            sets=tuple(f"{V:x}" for V in ordered) or (f"{self.everything:x}",),
            limits=tuple(wanted[V] for V in ordered) or (limit,),
        )

    def _weak_side(self, one: Bits, other: Bits, k: int) -> Bits:
        """The side on which ``k`` mistakes cannot be forced, once ``k + 1`` on both cannot."""
        small, large = sorted((one, other), key=int.bit_count)
        if small.bit_count() < 1 << k or self.upper.get(small, k) < k:
            return small
        return large if self.upper.get(large, k) < k else small


def _splits(
    V: Bits, size: int, need: int, cuts: list[tuple[Bits, int]]
) -> tuple[list[tuple[Bits, int, int]], list[tuple[Bits, int]]]:
    """Different splits with ``need`` concepts on both sides, the most balanced first, and
    the cuts that split ``V`` at all (only they can split a part of it).
    """
    inner = []
    smaller: dict[Bits, tuple[int, int]] = {}
    for cut in cuts:
        ones = V & cut[0]
        count = ones.bit_count()
        if 0 < count < size:
            inner.append(cut)
            if 2 * count > size:
                ones, count = V ^ ones, size - count
            if count >= need and ones not in smaller:
                smaller[ones] = (count, cut[1])
    ranked = sorted(smaller.items(), key=lambda item: -item[1][0])
    return [(ones, count, x) for ones, (count, x) in ranked], inner
