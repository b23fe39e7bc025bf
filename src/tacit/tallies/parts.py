"""Count records by the cells of many sets of columns of a table, all in one pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import prod

import numpy as np
import numpy.typing as npt

from tacit.core import Sample
from tacit.core.source import Batch
from tacit.core.tally import Streamed
from tacit.domains.schema import Schema
from tacit.tallies.arrays import ReadBatch

Columns = tuple[int, ...]
Counts = npt.NDArray[np.int64]


@dataclass(frozen=True)
class PartCounts:
    """For each set of columns, how many records are in each of its cells.

    Column 0 of a batch holds the table's columns. The counter is one array, part after part;
    what lies inside another part is not counted but summed from it.
    """

    schema: Schema
    parts: tuple[Columns, ...]

    @cached_property
    def _homes(self) -> dict[Columns, Columns]:
        """For each part the longest one that holds all its columns, which may be itself."""
        lengths = {len(part) for part in self.parts}
        known: dict[Columns, Columns] = {}
        for part in sorted(self.parts, key=lambda one: -len(one)):
            inside = tuple(sorted(part))
            if inside not in known:
                for few in lengths:
                    for one in combinations(inside, few):
                        known.setdefault(one, part)
        return {part: known[tuple(sorted(part))] for part in self.parts}

    @cached_property
    def _counted(self) -> list[Columns]:
        return [part for part, home in self._homes.items() if part == home]

    @cached_property
    def _sizes(self) -> list[int]:
        return [prod(self.schema.cells[c] for c in part) for part in self._counted]

    @cached_property
    def _strides(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Columns and strides of every part, padded to the same number of columns."""
        most = max((len(part) for part in self._counted), default=1)
        columns = np.zeros((len(self._counted), most), dtype=np.int64)
        strides = np.zeros((len(self._counted), most), dtype=np.int64)
        for row, part in enumerate(self._counted):
            sizes = [self.schema.cells[c] for c in part]
            for place, column in enumerate(part):
                columns[row, place] = column
                strides[row, place] = prod(sizes[place + 1 :])
        return columns, strides

    @cached_property
    def _starts(self) -> npt.NDArray[np.int64]:
        return np.cumsum([0, *self._sizes[:-1]]).astype(np.int64)

    def zero(self) -> Counts:
        return np.zeros(sum(self._sizes), dtype=np.int64)

    def add(self, counter: Counts, batch: Batch) -> Counts:
        return self.add_cells(counter, self.schema.coerce(batch.column(0)))

    def add_cells(self, counter: Counts, cells: npt.NDArray[np.int32]) -> Counts:
        """The counter with these placed rows added."""
        from tacit.tallies.kernels import count_parts

        columns, strides = self._strides
        count_parts(np.ascontiguousarray(cells.T), columns, strides, self._starts, counter)
        return counter

    def merge(self, left: Counts, right: Counts) -> Counts:
        left += right
        return left

    def split(self, counter: Counts) -> dict[Columns, Counts]:
        """The counts of each part, one axis a column."""
        pieces = np.split(counter, self._starts[1:]) if self.parts else []
        found = {
            part: piece.reshape([self.schema.cells[c] for c in part])
            for part, piece in zip(self._counted, pieces, strict=True)
        }
        return {part: _summed(found[home], home, part) for part, home in self._homes.items()}


def _summed(counts: Counts, home: Columns, part: Columns) -> Counts:
    """The counts of some of the columns of ``home``, in their order."""
    if part == home:
        return counts
    gone = tuple(axis for axis, column in enumerate(home) if column not in part)
    left = [column for column in home if column in part]
    return np.transpose(counts.sum(axis=gone), [left.index(column) for column in part])


def counts_of(
    data: Sample | Streamed, schema: Schema, parts: Sequence[Columns]
) -> dict[Columns, Counts]:
    """The counts of all parts, in one pass over the records."""
    tally = PartCounts(schema, tuple(parts))
    if isinstance(data, Streamed):
        return tally.split(data.fold(tally))
    return tally.split(tally.add(tally.zero(), ReadBatch((data.x, None), len(data))))


def counts_of_cells(
    cells: npt.NDArray[np.int32], schema: Schema, parts: Sequence[Columns]
) -> Mapping[Columns, Counts]:
    """The same counts of rows that are placed already."""
    tally = PartCounts(schema, tuple(parts))
    return tally.split(tally.add_cells(tally.zero(), cells))


def warm() -> None:
    """Compile the counting loop, before anything is charged."""
    schema = Schema.of([bool, bool])
    counts_of_cells(np.zeros((1, 2), dtype=np.int32), schema, ((0,), (0, 1)))
