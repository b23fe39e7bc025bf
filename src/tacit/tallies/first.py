"""Count all records by leading bits and, in the same pass, hold what will be asked for next.

What is held saves a pass and changes nothing: whoever refines a block gets the same answer
from what is held as from another pass. It is chosen by a glimpse of some records, so it may
differ between engines.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tacit.core.source import Batch
from tacit.tallies.blocks import Blocks, Counts, Occurring, distinct_keys
from tacit.tallies.digits import Table, Values, labels_of
from tacit.tallies.reading import Column, Label
from tacit.tallies.sorting import sort

_TWO = 2
_SLOTS = 1 << 9
_MOST_HELD = 1 << 21
FEW = _SLOTS // 4
"""So many distinct values are counted one by one in the first pass."""


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """Distinct values, ascending, with their records by label.

    All that occur or, with ``kept``, all of those leading cells.
    """

    values: Values
    inside: Counts
    shift: int
    kept: npt.NDArray[np.uint8] | None

    def __repr__(self) -> str:
        return "Held(private)"

    def covers(self, blocks: Blocks) -> bool:
        """Whether every record of these blocks, each inside one leading cell, is held."""
        if self.kept is None:
            return True
        return bool(self.kept[blocks.starts >> np.uint64(self.shift)].all())

    def occurring(self, blocks: Blocks) -> Occurring:
        """The distinct values of these ascending blocks."""
        _, found = self._owners(blocks)
        return Occurring(blocks, self.values[found], self.inside[:, found])

    def counted(self, blocks: Blocks, shifts: Values, cells: Counts) -> Counts:
        """The records of each block by the bits above its shift, as ``InsideCounts`` has them."""
        owner, found = self._owners(blocks)
        firsts = np.cumsum(cells) - cells
        offsets = (self.values[found] - blocks.starts[owner]) >> shifts[owner]
        places = firsts[owner] + offsets.astype(np.int64)
        counts = np.zeros((2, int(cells.sum())), dtype=np.int64)
        for label in (0, 1):
            np.add.at(counts[label], places, self.inside[label, found])
        return counts

    def _owners(self, blocks: Blocks) -> tuple[Counts, Counts]:
        """The block of each value that lies in one, and the places of these values."""
        owner = np.searchsorted(blocks.starts, self.values, side="right") - 1
        inside = (owner >= 0) & (self.values <= blocks.lasts[owner])
        return owner[inside], np.flatnonzero(inside)


class _Few:
    """Counts of a few distinct values by label."""

    __slots__ = ("counts", "slots", "used")

    def __init__(self) -> None:
        self.slots = np.zeros(_SLOTS, dtype=np.uint64)
        self.used = np.zeros(_SLOTS + 1, dtype=np.int64)
        self.counts = np.zeros((2, 2 * _SLOTS), dtype=np.int64)

    def add(self, values: Values, labels: npt.NDArray[np.uint8]) -> int:
        """Count records until there are too many values; how many were counted."""
        from tacit.exact.compiled import steady
        from tacit.tallies.kernels import count_few, count_two

        if len(values) and self.used[-1] <= _TWO:
            pair, counts = np.empty(_TWO, dtype=np.uint64), np.empty((2, _TWO), dtype=np.int64)
            if count_two(steady(values), steady(labels), pair, counts) == len(values):
                many = 1 if pair[0] == pair[1] else _TWO
                self.insert(pair[:many], counts[:many].T)
                return len(values)
        return int(count_few(steady(values), steady(labels), self.slots, self.used, self.counts))

    def join(self, other: _Few) -> bool:
        """Add the counts of another table; whether they are few enough together."""
        values, inside = other.sorted()
        if len(np.union1d(self.sorted()[0], values)) > FEW:
            return False
        self.insert(values, inside)
        return True

    def insert(self, values: Values, inside: Counts) -> None:
        """Add the records of distinct values for which there is room."""
        from tacit.exact.compiled import steady
        from tacit.tallies.kernels import count_few

        # Counted once to find a slot for each: taken off again, and the true counts added.
        none = steady(np.zeros(len(values), dtype=np.uint8))
        count_few(steady(values), none, self.slots, self.used, self.counts)
        places = {int(self.slots[slot]): slot for slot in np.flatnonzero(self.used[:-1])}
        slots = 2 * np.array([places[int(value)] for value in values], dtype=np.int64)
        self.counts[np.arange(len(values)) & 1, slots] -= 1
        self.counts[0, slots] += inside[0]
        self.counts[0, slots + 1] += inside[1]

    def sorted(self) -> tuple[Values, Counts]:
        """The distinct values, ascending, and their records by label."""
        places = np.flatnonzero(self.used[:-1])
        places = places[np.argsort(self.slots[places])]
        both = self.counts.sum(axis=0).reshape(-1, 2)
        return self.slots[places], np.ascontiguousarray(both[places].T)


class Firsts:
    """What a first pass counted and holds."""

    __slots__ = ("few", "parts", "table", "taken")

    def __init__(self, cells: int, *, few: bool, take: bool) -> None:
        self.table = Table(cells, ways=2)
        self.few = _Few() if few else None
        self.parts: list[Values] | None = [] if take else None
        self.taken = 0

    def __repr__(self) -> str:
        return "Firsts(private)"


@dataclass(frozen=True, slots=True, eq=False)
class FirstPass:
    """``LeadingCounts``, and besides at most one of two things for later.

    With ``few`` the distinct values themselves, while they are at most ``FEW``; with ``kept``
    the records of these leading cells, while they are at most ``most`` (``2**21``).
    Values have at most 63 bits.
    """

    column: Column
    label: Label | None
    shift: int
    cells: int
    few: bool = False
    kept: npt.NDArray[np.uint8] | None = None
    most: int | None = None

    def zero(self) -> Firsts:
        return Firsts(self.cells, few=self.few, take=self.kept is not None)

    def add(self, counter: Firsts, batch: Batch) -> Firsts:
        from tacit.exact.compiled import steady
        from tacit.tallies.kernels import count_and_take, count_leading

        values = steady(self.column.read(batch))
        labels = steady(labels_of(self.label, batch).view(np.uint8))
        if counter.few is not None:
            done = counter.few.add(values, labels)
            if done == len(values):
                return counter
            self._spill(counter)
            values, labels = values[done:], labels[done:]
        counter.table.room_for(len(values))
        shift, words = np.uint64(self.shift), counter.table.words
        if counter.parts is None or self.kept is None:
            count_leading(values, labels, shift, words)
            return counter
        keys = np.empty(len(values), dtype=np.uint64)
        many = int(count_and_take(values, labels, shift, steady(self.kept), words, keys))
        if many:
            counter.parts.append(keys[:many].copy())
        return self._limited(counter, many)

    @property
    def most_held(self) -> int:
        """How many records of the cells that are kept may be held."""
        return _MOST_HELD if self.most is None else self.most

    def of_counts(
        self,
        cells: Counts,
        coarse: Counts,
        values: Values | None = None,
        fine: Counts | None = None,
    ) -> Firsts:
        """The counter of records that were counted elsewhere, each once.

        ``coarse`` has those of leading cells, ``fine`` those of values: of none; with ``few`` of
        all; or, with ``kept``, of all in those cells. Cells and values may repeat.
        """
        counter = self.zero()
        few, counter.few = counter.few, None
        counter.table.add_counts(cells, coarse)
        if values is None or fine is None:
            counter.parts = None
            return counter
        values, places = np.unique(values, return_inverse=True)
        inside = np.zeros((2, len(values)), dtype=np.int64)
        for label in (0, 1):
            np.add.at(inside[label], places, fine[label])
        if few is not None and len(values) <= FEW:
            few.insert(values, inside)
            counter.few = few
            return counter
        counter.table.add_counts((values >> np.uint64(self.shift)).astype(np.int64), inside)
        if counter.parts is None:
            return counter
        if (many := int(inside.sum())) <= self.most_held:
            counter.parts.append(np.repeat(_words(values), inside.ravel()))
        return self._limited(counter, many)

    def merge(self, left: Firsts, right: Firsts) -> Firsts:
        if left.few is not None and right.few is not None and left.few.join(right.few):
            return left
        self._spill(left)
        self._spill(right)
        left.table.join(right.table)
        if left.parts is None or right.parts is None:
            left.parts = None
            return left
        left.parts += right.parts
        return self._limited(left, right.taken)

    def _limited(self, counter: Firsts, more: int) -> Firsts:
        counter.taken += more
        if counter.taken > self.most_held:
            counter.parts = None
        return counter

    def _spill(self, counter: Firsts) -> None:
        """Move the counts of distinct values to their leading cells."""
        if counter.few is None:
            return
        values, inside = counter.few.sorted()
        counter.few = None
        counter.table.add_counts((values >> np.uint64(self.shift)).astype(np.int64), inside)

    def found(self, counter: Firsts) -> tuple[Counts, Held | None]:
        """The counts of the leading cells, a row a label, and what is held."""
        if counter.few is not None:
            held = Held(*counter.few.sorted(), self.shift, None)
            self._spill(counter)
            return counter.table.counts(), held
        counts = counter.table.counts()
        if counter.parts is None:
            return counts, None
        keys = np.concatenate([np.empty(0, dtype=np.uint64), *counter.parts])
        sort(keys)
        return counts, Held(*distinct_keys(keys), self.shift, self.kept)


def _words(values: Values) -> Values:
    """The words of all values with label 0, then with label 1."""
    return np.concatenate([values * np.uint64(2), values * np.uint64(2) + np.uint64(1)])
