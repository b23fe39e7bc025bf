"""Count and take records by the leading bits of a value: what an order is searched with.

Values are cells of a public domain of at most 64 bits. A *span* is a run of values; spans
in one tally are disjoint, ascending, and each lies inside one cell of leading bits.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tacit.core.resources import resources
from tacit.core.source import Batch
from tacit.tallies.reading import Column, Label, Labels
from tacit.tallies.sorting import sort

Values = npt.NDArray[np.uint64]
Counts = npt.NDArray[np.int64]
_FULL = 1 << 31
LEADING_BITS = 14
"""A first pass counts by so many bits, and later ones find spans by them: by fewer, more records
have to be looked at again; by more, the counters leave the memory that is near.
"""
_SIDE_BY_SIDE = 1 << 18


class Table:
    """Counts of cells by label, in small words that are emptied before they can overflow."""

    __slots__ = ("_rows", "_total", "words")

    def __init__(self, cells: int, *, ways: int) -> None:
        self.words = np.zeros((ways, 2 * cells), dtype=np.uint32)
        self._total: Counts | None = None
        self._rows = 0

    def __repr__(self) -> str:
        return "Table(private)"

    def room_for(self, rows: int) -> None:
        """Make sure that ``rows`` more records cannot overflow a word."""
        if self._rows + rows >= _FULL:
            self._empty()
        self._rows += rows

    def _empty(self) -> None:
        self._total = self._summed()
        self.words[:] = 0
        self._rows = 0

    def _summed(self) -> Counts:
        here: Counts = self.words.sum(axis=0, dtype=np.int64)
        return here if self._total is None else self._total + here

    def join(self, other: Table) -> Table:
        """Add the counts of another table of the same shape."""
        self._total = self._summed() + other._summed()
        self.words[:] = 0
        self._rows = 0
        return self

    def add_counts(self, cells: Counts, inside: Counts) -> None:
        """Add to some cells, which may repeat, so many records of each label."""
        total = self._summed()
        for label in (0, 1):
            np.add.at(total, 2 * cells + label, inside[label])
        self._total = total
        self.words[:] = 0
        self._rows = 0

    def counts(self) -> Counts:
        """How many records each cell has: a row for label 0 and one for label 1."""
        return np.ascontiguousarray(self._summed().reshape(-1, 2).T)


def labels_of(label: Label | None, batch: Batch) -> Labels:
    """The labels of a batch; all 0 where there is no such column."""
    return np.zeros(batch.num_rows, dtype=bool) if label is None else label.read(batch)


@dataclass(frozen=True, slots=True)
class LeadingCounts:
    """Count all records by ``value >> shift`` and by label; cells are ``0, ..., cells - 1``."""

    column: Column
    label: Label | None
    shift: int
    cells: int

    def zero(self) -> Table:
        return Table(self.cells, ways=2)

    def add(self, counter: Table, batch: Batch) -> Table:
        from tacit.exact.compiled import steady
        from tacit.tallies.kernels import count_leading

        counter.room_for(batch.num_rows)
        values, labels = self.column.read(batch), labels_of(self.label, batch)
        seen = steady(values), steady(labels.view(np.uint8))
        count_leading(*seen, np.uint64(self.shift), counter.words)
        return counter

    def merge(self, left: Table, right: Table) -> Table:
        return left.join(right)


@dataclass(frozen=True, eq=False)
class Spans:
    """Disjoint runs of values, from each of ``starts`` to the entry of ``lasts``, ascending.

    ``shift`` leaves at most ``2**LEADING_BITS`` leading cells; no span reaches over a cell's end.
    """

    starts: Values
    lasts: Values
    shift: int

    @classmethod
    def of(cls, starts: Values, lasts: Values, *, bits: int) -> Spans:
        """Spans over values of ``bits`` bits."""
        return cls(starts, lasts, max(0, bits - LEADING_BITS))

    @cached_property
    def index(self) -> npt.NDArray[np.uint64]:
        """For each leading cell, and one more, how many spans start before it."""
        cells = np.arange((1 << LEADING_BITS) + 1, dtype=np.uint64)
        firsts = (self.starts >> np.uint64(self.shift)).astype(np.uint64)
        return np.searchsorted(firsts, cells).astype(np.uint64)

    @cached_property
    def kept(self) -> npt.NDArray[np.uint8]:
        """Which leading cells hold a span."""
        return (self.index[1:] > self.index[:-1]).view(np.uint8)

    def lookup(self) -> tuple[np.uint64, Values, Values, Values, npt.NDArray[np.uint8]]:
        """What a kernel needs to find a value's span."""
        return np.uint64(self.shift), self.index, self.starts, self.lasts, self.kept

    def sides(self, pivot: int) -> npt.NDArray[np.uint8]:
        """For each leading cell: 0 if it holds no span, 1 if all its values lie in one span and
        below ``pivot``, 2 if they lie in one and not below, 3 if spans have to be searched.
        """
        cells = np.arange(1 << LEADING_BITS, dtype=np.uint64)
        firsts = cells << np.uint64(self.shift)
        ends = firsts + np.uint64((1 << self.shift) - 1)
        spans = np.minimum(self.index[:-1], len(self.starts) - 1).astype(np.int64)
        whole = (self.starts[spans] == firsts) & (self.lasts[spans] == ends)
        mixed = (firsts < np.uint64(pivot)) & (np.uint64(pivot) <= ends)
        side = np.where(ends < np.uint64(pivot), np.uint8(1), np.uint8(2))
        side[~whole | mixed] = 3
        return np.where(self.kept, side, np.uint8(0))

    def find(self, values: Values) -> npt.NDArray[np.int64]:
        """The positions of the values that lie inside a span."""
        from tacit.exact.compiled import steady
        from tacit.tallies.kernels import find_inside

        found = np.empty(len(values), dtype=np.int64)
        return found[: find_inside(steady(values), *self.lookup(), found)]


@dataclass(frozen=True, slots=True)
class InsideCounts:
    """Count the records inside ``spans`` by the bits above ``shifts`` of their offset.

    Span ``s`` has ``cells[s]`` cells; those of all spans follow one another in the result.
    """

    column: Column
    label: Label | None
    spans: Spans
    shifts: Values
    cells: Counts

    def zero(self) -> Table:
        return Table(int(self.cells.sum()), ways=1)

    def add(self, counter: Table, batch: Batch) -> Table:
        from tacit.exact.compiled import steady
        from tacit.tallies.kernels import count_inside

        counter.room_for(batch.num_rows)
        values, labels = self.column.read(batch), labels_of(self.label, batch)
        firsts = (np.cumsum(self.cells) - self.cells).astype(np.uint64)
        look = self.spans.lookup()
        words = counter.words[0]
        values, labels = steady(values), steady(labels.view(np.uint8))
        count_inside(values, labels, *look, self.shifts, firsts, words)
        return counter

    def merge(self, left: Table, right: Table) -> Table:
        return left.join(right)


class Found:
    """Records that were taken: values and labels, in an order that means nothing."""

    __slots__ = ("parts",)

    def __init__(self) -> None:
        self.parts: list[tuple[Values, Labels]] = []

    def __repr__(self) -> str:
        return "Found(private)"

    def all(self) -> tuple[Values, Labels]:
        """Every value and its label."""
        if not self.parts:
            return np.empty(0, dtype=np.uint64), np.empty(0, dtype=bool)
        values, labels = zip(*self.parts, strict=True)
        return np.concatenate(values), np.concatenate(labels)


@dataclass(frozen=True, slots=True)
class TakeInside:
    """Take value and label of each record inside ``spans``."""

    column: Column
    label: Label | None
    spans: Spans

    def zero(self) -> Found:
        return Found()

    def add(self, counter: Found, batch: Batch) -> Found:
        values, labels = self.column.read(batch), labels_of(self.label, batch)
        found = self.spans.find(values)
        if len(found):
            counter.parts.append((values[found], labels[found]))
        return counter

    def merge(self, left: Found, right: Found) -> Found:
        left.parts += right.parts
        return left


class Keys:
    """Records that were taken: words that end in the label, in two lists about a pivot."""

    __slots__ = ("above", "below")

    def __init__(self) -> None:
        self.below: list[Values] = []
        self.above: list[Values] = []

    def __repr__(self) -> str:
        return "Keys(private)"

    def sorted(self) -> Values:
        """All words, ascending; the two lists are sorted side by side."""
        lists = [part for part in (self.below, self.above) if part]
        if not lists:
            return np.empty(0, dtype=np.uint64)
        both = np.concatenate([*self.below, *self.above])
        middle = sum(map(len, self.below))
        halves = [half for half in (both[:middle], both[middle:]) if len(half)]
        if len(both) < _SIDE_BY_SIDE or len(halves) < 2 or resources().workers < 2:
            for half in halves:
                sort(half)
            return both
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(sort, halves))
        return both


@dataclass(frozen=True)
class TakeKeys:
    """As ``TakeInside``, for values of at most 63 bits; ``pivot`` parts them for sorting."""

    column: Column
    label: Label | None
    spans: Spans
    pivot: int = 0

    @cached_property
    def sides(self) -> npt.NDArray[np.uint8]:
        """Where the records of each leading cell go."""
        return self.spans.sides(self.pivot)

    def zero(self) -> Keys:
        return Keys()

    def add(self, counter: Keys, batch: Batch) -> Keys:
        from tacit.exact.compiled import steady
        from tacit.tallies.kernels import take_keys

        values, labels = self.column.read(batch), labels_of(self.label, batch)
        values, labels = steady(values), steady(labels.view(np.uint8))
        keys = np.empty(len(values), dtype=np.uint64)
        shift, index, starts, lasts, _ = self.spans.lookup()
        look = shift, index, starts, lasts, self.sides, np.uint64(self.pivot)
        below, above = take_keys(values, labels, *look, keys)
        # A few words must not keep the room of a whole batch.
        sparse = 2 * (below + len(keys) - above) < len(keys)
        for many, part in ((counter.below, keys[:below]), (counter.above, keys[above:])):
            if len(part):
                many.append(part.copy() if sparse else part)
        return counter

    def merge(self, left: Keys, right: Keys) -> Keys:
        left.below += right.below
        left.above += right.above
        return left
