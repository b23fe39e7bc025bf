"""Passes over records that an ordered search asks for: folded anywhere, or wide in memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import repeat
from operator import rshift

import numpy as np
import numpy.typing as npt

from tacit.core import Sample
from tacit.core.resources import resources
from tacit.core.tally import Glimpsed, Records, Streamed
from tacit.domains.columns import as_array
from tacit.domains.integers import Integers
from tacit.domains.labels import equals, truth
from tacit.exact.arrays import Placed, Values
from tacit.tallies.arrays import ArrayRecords
from tacit.tallies.blocks import (
    Blocks,
    Counts,
    Keyed,
    Occurring,
    distinct_keys,
    distinct_labelled,
    split_evenly,
)
from tacit.tallies.digits import (
    LEADING_BITS,
    InsideCounts,
    LeadingCounts,
    Spans,
    TakeInside,
    TakeKeys,
)
from tacit.tallies.first import FEW, FirstPass, Held
from tacit.tallies.ordered import Counter, Likely
from tacit.tallies.reading import Column, Label

_AT_ONCE = 16
_CELLS, _AT_MOST_ONCE, _MOST_CELLS = 18, 20, 22
_FEW_BLOCKS = 1 << 8
_MOST_TAKEN = 1 << 23
_SHARES = 4
_ALWAYS_TAKEN = 1 << 18
_BYTES_TAKEN = 48
_WORD = 64
_GLIMPSED_PART = 16


@dataclass(frozen=True, slots=True)
class FoldedCounter:
    """Counts the values ``0, ..., size - 1`` of one column, at most 64 bits, by tallies.

    What a pass does depends on the counts so far and on nothing else, so every engine asks
    for the same passes and gets the same blocks.
    """

    records: Records
    column: Column
    label: Label | None
    size: int

    def __repr__(self) -> str:
        return "FoldedCounter(private)"

    @property
    def _bits(self) -> int:
        return max(1, (self.size - 1).bit_length())

    def first(self, likely: Likely) -> tuple[Blocks, Held | None]:
        """Each value by itself if there are at most ``2**16``, else leading bits."""
        shift = 0 if self._bits <= _AT_ONCE else self._bits - LEADING_BITS
        cells = -(-self.size // (1 << shift))
        if shift and resources().fixed_passes:
            return self._sorted(shift, cells)
        tally = self._first_pass(shift, cells, likely)
        if tally is None:
            plain = LeadingCounts(self.column, self.label, shift, cells)
            return self._blocks(self.records.fold(plain).counts(), shift), None
        inside, held = tally.found(self.records.fold(tally))
        return self._blocks(inside, shift), held

    def _sorted(self, shift: int, cells: int) -> tuple[Blocks, Held]:
        """The blocks of ``first`` and every record, from one pass whatever the records are."""
        blocks = self._blocks(np.zeros((2, cells), dtype=np.int64), shift)
        held = Held(*self._distinct(self._spans(blocks), self.size // 2), shift, None)
        shifts, one = np.full(cells, shift, dtype=np.uint64), np.ones(cells, dtype=np.int64)
        return self._blocks(held.counted(blocks, shifts, one), shift), held

    def _distinct(self, spans: Spans, pivot: int) -> tuple[Values, Counts]:
        """The distinct values of some spans, ascending, with their records by label."""
        if self._bits < _WORD:
            tally = TakeKeys(self.column, self.label, spans, pivot)
            return distinct_keys(self.records.fold(tally).sorted())
        taken = self.records.fold(TakeInside(self.column, self.label, spans))
        return distinct_labelled(*taken.all())

    def _blocks(self, inside: Counts, shift: int) -> Blocks:
        cells = inside.shape[1]
        starts = np.arange(cells, dtype=np.uint64) << np.uint64(shift)
        sizes = np.full(cells, 1 << shift, dtype=np.uint64)
        sizes[-1] = self.size - ((cells - 1) << shift)
        return Blocks(starts, sizes, np.cumsum(inside, axis=1) - inside, inside)

    def _first_pass(self, shift: int, cells: int, likely: Likely) -> FirstPass | None:
        """What to hold besides, as a glimpse of some records says; it decides no answer."""
        if not shift or self._bits >= _WORD or not isinstance(self.records, Glimpsed):
            return None
        tally = FirstPass(self.column, self.label, shift, cells, few=True)
        seen = self.records.glimpse(tally)
        if seen is None:
            return None
        inside, held = tally.found(seen)
        if not inside.any():  # a sample may miss all records
            return None
        if held is not None and len(held.values) <= FEW // 2:
            return tally
        chosen = likely(self._blocks(inside, shift), len(self.records) / int(inside.sum()))
        if _GLIMPSED_PART * int(inside[:, chosen].sum()) > int(inside.sum()):
            return None
        return replace(tally, few=False, kept=chosen.view(np.uint8))

    def refine(self, blocks: Blocks, held: Held | None) -> Blocks | Occurring | Keyed:
        """Take the records of the blocks, or count them by further bits if they are many."""
        known = held if held is not None and held.covers(blocks) else None
        if self._are_taken(blocks):
            return self._taken(blocks, known)
        return self._counted(blocks, self._depth(blocks), known)

    def shares(self, blocks: Blocks) -> Iterator[Blocks]:
        """The blocks in runs of which each can be held at once, if they will be taken."""
        most, begin, below = _most_taken(), 0, 0
        through = np.cumsum(blocks.inside.sum(axis=0))
        if not self._are_taken(blocks):
            yield blocks
            return
        while begin < len(blocks):
            end = max(begin + 1, int(np.searchsorted(through, below + most, side="right")))
            yield blocks[np.arange(begin, end)]
            begin, below = end, int(through[end - 1])

    def _are_taken(self, blocks: Blocks) -> bool:
        """Whether the records of the blocks are taken, in a few shares at most if they are many.

        A block of more records than can be held at once is counted as long as that can be done.
        """
        each, most = blocks.inside.sum(axis=0), _most_taken()
        records, everywhere = int(each.sum()), self._everywhere(blocks)
        few = records <= max(_ALWAYS_TAKEN, everywhere // 8) or len(blocks) > _FEW_BLOCKS
        fits = int(each.max()) <= most and records <= _SHARES * most
        return self._depth(blocks) < 1 or (few and fits)

    def _everywhere(self, blocks: Blocks) -> int:
        """At least how many records there are: those below the last block's end."""
        return int(blocks.before[:, -1].sum() + blocks.inside[:, -1].sum())

    def _depth(self, blocks: Blocks) -> int:
        """How many more bits to count, so that the cells of all blocks fit a table."""
        taken = (len(blocks) - 1).bit_length()
        widest = (int(blocks.sizes.max()) - 1).bit_length()
        if taken + widest <= _AT_MOST_ONCE:
            return widest
        return _CELLS - taken if _CELLS - taken >= 6 else _MOST_CELLS - taken

    def _spans(self, blocks: Blocks) -> Spans:
        return Spans.of(blocks.starts, blocks.lasts, bits=self._bits)

    def _taken(self, blocks: Blocks, known: Held | None) -> Occurring | Keyed:
        if known is not None:
            return known.occurring(blocks)
        spans = self._spans(blocks)
        if self._bits < _WORD:
            tally = TakeKeys(self.column, self.label, spans, _middle(blocks))
            return Keyed(blocks, self.records.fold(tally).sorted())
        return Occurring(blocks, *self._distinct(spans, 0))

    def _counted(self, blocks: Blocks, depth: int, known: Held | None) -> Blocks | Occurring:
        widths = [int(size - 1).bit_length() for size in blocks.sizes.tolist()]
        shifts = np.array([max(0, width - depth) for width in widths], dtype=np.uint64)
        if known is not None and not int(shifts.max()):
            return known.occurring(blocks)  # every cell would be one value
        last = (blocks.sizes - np.uint64(1)) >> shifts
        cells = last.astype(np.int64) + 1
        if known is not None:
            inside = known.counted(blocks, shifts, cells)
        else:
            tally = InsideCounts(self.column, self.label, self._spans(blocks), shifts, cells)
            inside = self.records.fold(tally).counts()
        if int(shifts.max()):
            return split_evenly(blocks, shifts, cells, inside)
        # Every cell is one value: most of them hold no record.
        full = np.flatnonzero(inside[0] + inside[1])
        firsts = np.cumsum(cells) - cells
        owner = np.searchsorted(firsts, full, side="right") - 1
        values = blocks.starts[owner] + (full - firsts[owner]).astype(np.uint64)
        return Occurring(blocks, values, inside[:, full])


def _most_taken() -> int:
    """How many records are held at once where they could be counted instead."""
    memory = resources().memory
    return _MOST_TAKEN if memory is None else min(_MOST_TAKEN, memory // _BYTES_TAKEN)


def _middle(blocks: Blocks) -> int:
    """A value below which about half of the records of these blocks lie."""
    if len(blocks) == 1:
        return int(blocks.starts[0]) + int(blocks.sizes[0]) // 2
    through = np.cumsum(blocks.inside.sum(axis=0))
    return int(blocks.starts[np.searchsorted(through, through[-1] // 2)])


class _Words:
    """A domain whose values are words already."""

    def coerce(self, values: object) -> Placed:
        return np.asarray(values)


@dataclass(frozen=True)
class WideCounter:
    """Counts values of more than 64 bits, held in memory as Python integers below ``size``.

    The leading 64 bits below the greatest value's first are searched like words; where
    values agree in them, the records themselves are sorted.
    """

    values: Placed
    labels: npt.NDArray[np.bool_]
    size: int

    def __repr__(self) -> str:
        return "WideCounter(private)"

    @cached_property
    def _shift(self) -> int:
        greatest = max(self.values.tolist(), default=0)
        return max(0, int(greatest).bit_length() - _WORD)

    @cached_property
    def _keys(self) -> npt.NDArray[np.uint64]:
        shifted = map(rshift, self.values.tolist(), repeat(self._shift))
        return np.fromiter(shifted, dtype=np.uint64, count=len(self.values))

    @property
    def _inner(self) -> FoldedCounter:
        records = ArrayRecords((self._keys, self.labels))
        return FoldedCounter(records, Column(0, _Words()), Label(1, positive=True), 1 << _WORD)

    def first(self, likely: Likely) -> tuple[Blocks, Held | None]:
        """Blocks of leading bits, and one for all that lies above the greatest value."""
        found = self._widened(self._inner.first(likely)[0])
        covered = 1 << (_WORD + self._shift)
        if covered >= self.size:
            inside = np.array([start < self.size for start in found.starts.tolist()])
            return self._clipped(found[inside]), None
        total = found.inside.sum(axis=1, keepdims=True)
        above = Blocks(
            np.array([covered], dtype=object),
            np.array([self.size - covered], dtype=object),
            total,
            np.zeros_like(total),
        )
        return found.joined(above), None

    def shares(self, blocks: Blocks) -> Iterator[Blocks]:
        """All of them: their records are in memory already."""
        yield blocks

    def refine(self, blocks: Blocks, held: Held | None) -> Blocks | Occurring:
        """Search blocks of several keys further while they hold many records; else sort."""
        keys = self._narrowed(blocks)
        if bool((keys.sizes > 1).all()):
            found = self._inner.refine(keys, held)
            if isinstance(found, Blocks):
                return self._clipped(self._widened(found))
        places = Spans.of(keys.starts, keys.lasts, bits=_WORD).find(self._keys)
        return Occurring(blocks, *distinct_labelled(self.values[places], self.labels[places]))

    def _widened(self, keys: Blocks) -> Blocks:
        return Blocks(
            keys.starts.astype(object) << self._shift,
            keys.sizes.astype(object) << self._shift,
            keys.before,
            keys.inside,
        )

    def _clipped(self, blocks: Blocks) -> Blocks:
        """Let no block end after the last value."""
        room = self.size - blocks.starts
        sizes = np.minimum(blocks.sizes, room)
        return Blocks(blocks.starts, sizes, blocks.before, blocks.inside)

    def _narrowed(self, blocks: Blocks) -> Blocks:
        starts = (blocks.starts >> self._shift).astype(np.uint64)
        whole = (1 << self._shift) - 1
        sizes = ((blocks.sizes + whole) >> self._shift).astype(np.uint64)
        return Blocks(starts, sizes, blocks.before, blocks.inside)


def counter_of(data: Sample | Streamed, domain: Integers, *, labelled: bool = True) -> Counter:
    """Passes over the records of a sample, placed in ``domain``.

    A streamed sample is read again in each pass. Arrays of numbers are read slice by slice
    where they are; other columns are placed once.
    """
    if isinstance(data, Streamed):
        label = Label(1, positive=True) if labelled else None
        return FoldedCounter(data, Column(0, domain), label, domain.size)
    x, positive = as_array(data.x), data.positive
    if x.ndim == 2 and x.shape[1] == 1:
        x = x[:, 0]
    if labelled:
        y = as_array(data.y)
        if y.ndim != 1 or y.dtype.kind not in "biuf":
            y, positive = truth(data), True
    else:
        y = np.zeros(0, dtype=bool)
    if not domain.fits_a_word:
        labels = equals(y, positive) if labelled else np.zeros(len(x), dtype=bool)
        return WideCounter(_placed(x, domain), labels, domain.size)
    if x.ndim != 1 or x.dtype.kind not in "biuf" or (x.dtype.kind == "f" and domain.size > 1 << 53):
        x = domain.coerce(x)
    records = ArrayRecords((x, y) if labelled else (x,))
    label = Label(1, positive) if labelled else None
    return FoldedCounter(records, Column(0, domain), label, domain.size)


def _placed(x: Placed, domain: Integers) -> Placed:
    """``domain.coerce(x)``; quick where every entry is a Python integer of the domain."""
    listed = x.tolist() if x.dtype == object and x.ndim == 1 else []
    whole = set(map(type, listed)) == {int}
    return x if whole and min(listed) >= 0 and max(listed) < domain.size else domain.coerce(x)
