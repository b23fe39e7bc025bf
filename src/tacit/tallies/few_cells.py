"""Tables of few public cells: one pass counts every kind of record, and counts stand for them.

A tally gets as many copies of a record as there are of its kind, by doubling: two equal counters
merged are the counter of twice the records. So whatever is asked next needs no other pass.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from copy import deepcopy
from dataclasses import dataclass
from math import prod
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from tacit.core.source import Batch
from tacit.core.tally import Streamed, Tally
from tacit.domains.guards import check_cells
from tacit.domains.placing import PlacedTable
from tacit.domains.schema import Schema
from tacit.tallies.arrays import ReadBatch

S = TypeVar("S")
Counts = npt.NDArray[np.int64]
_FEW = 1 << 19
"""Kinds of records at most: eight megabytes of counts for each thread."""


class ByCells(ABC):
    """A learner that reads of a streamed record its public cells and its label, and no more."""

    __slots__ = ()

    @property
    @abstractmethod
    def placed_by(self) -> Schema:
        """The schema whose cells it reads."""


@dataclass(frozen=True, slots=True)
class KindCounts:
    """How many records there are of each kind: cells, label, and whether the label was declared.

    ``values`` is how many labels there are. Without ``declared`` no such column is read.
    """

    schema: Schema
    values: int = 2
    declared: bool = False

    @property
    def shape(self) -> tuple[int, ...]:
        """The cells of each column, the labels, and declared or not."""
        return (*self.schema.cells, self.values, 2 if self.declared else 1)

    def zero(self) -> Counts:
        return np.zeros((2, prod(self.shape)), dtype=np.int64)

    def add(self, counter: Counts, batch: Batch) -> Counts:
        from tacit.exact.compiled import steady
        from tacit.tallies.kernels import count_kinds

        cells = self.schema.coerce(batch.column(0))
        labels = np.asarray(batch.column(1), dtype=bool if self.values == 2 else np.int64)
        check_cells(cells, labels, self.schema.cells)
        if self.values > 2:  # truth values are two
            check_cells(labels[:, None], labels, (self.values,))
        tags = labels.astype(np.uint16)
        if self.declared:
            tags = 2 * tags + np.asarray(batch.column(2), dtype=bool)
        sizes = np.array(self.shape[:-2], dtype=np.int64)
        last = np.int64(self.values * self.shape[-1])
        count_kinds(steady(np.ascontiguousarray(cells.T)), steady(tags), sizes, last, counter)
        return counter

    def merge(self, left: Counts, right: Counts) -> Counts:
        left += right
        return left


@dataclass(frozen=True, slots=True, eq=False)
class FewCells(Streamed):
    """Records of which only the kinds and their numbers are held."""

    kinds: KindCounts
    counts: Counts

    def __repr__(self) -> str:
        return "FewCells(private)"

    def __len__(self) -> int:
        return int(self.counts.sum())

    def fold(self, tally: Tally[S]) -> S:
        """The counter of all records: of those in the highest binary digit of their number, then
        again and again twice what there is and those in the next digit.
        """
        counter = tally.zero()
        for digit in reversed(range(int(self.counts.max(initial=0)).bit_length())):
            counter = tally.merge(counter, deepcopy(counter))
            chosen = np.flatnonzero((self.counts >> digit) & 1)
            if len(chosen):
                counter = tally.add(counter, self._batch(chosen))
        return counter

    def _batch(self, chosen: Counts) -> ReadBatch:
        """One record of each of these kinds."""
        *cells, labels, fits = np.unravel_index(chosen, self.kinds.shape)
        table = PlacedTable(np.stack(cells, axis=1).astype(np.int32), self.kinds.schema)
        read = labels > 0 if self.kinds.values == 2 else labels.astype(np.int64)
        declared = (fits > 0,) if self.kinds.declared else ()
        return ReadBatch((table, read, *declared), len(chosen))


def few_cells(data: Streamed, schema: Schema, *, values: int = 2, declared: bool) -> Streamed:
    """The same records by their kinds, after one pass over them; as they are where there are
    many kinds, which is public.
    """
    kinds = KindCounts(schema, values, declared)
    if prod(kinds.shape) > _FEW:
        return data
    return FewCells(kinds, data.fold(kinds).sum(axis=0))


def warm() -> None:
    """Compile the counting loop, before anything is charged."""
    kinds = KindCounts(Schema.of([bool]))
    kinds.add(kinds.zero(), ReadBatch((np.array([[True]]), np.array([True])), 1))
