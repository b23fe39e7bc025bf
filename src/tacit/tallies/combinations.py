"""Count records by their cells and all their labels together, in a table of all combinations."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np
import numpy.typing as npt

from tacit.core import Sample
from tacit.core.source import Batch
from tacit.core.tally import Streamed
from tacit.domains.labels import truths
from tacit.domains.schema import Schema

Counts = npt.NDArray[np.int64]


def combinations(schema: Schema) -> int:
    """How many combinations of cells there are."""
    return prod(schema.cells)


def combination_of(schema: Schema, x: object) -> Counts:
    """The number of each record's combination of cells; each record by itself."""
    cells = schema.coerce(x)
    place = np.zeros(len(cells), dtype=np.int64)
    for column, size in enumerate(schema.cells):
        place = place * size + cells[:, column]
    return place


@dataclass(frozen=True, slots=True)
class CombinationCounts:
    """How many records there are of each combination of cells (rows) and ``k`` labels (columns).

    Bit ``j`` of a column's number is label ``j``.
    """

    schema: Schema
    k: int

    @property
    def shape(self) -> tuple[int, int]:
        """Combinations of cells, and of labels: public."""
        return combinations(self.schema), 1 << self.k

    def zero(self) -> Counts:
        return np.zeros(self.shape, dtype=np.int64)

    def add(self, counter: Counts, batch: Batch) -> Counts:
        return self.add_records(counter, Sample(batch.column(0), batch.column(1), positive=True))

    def add_records(self, counter: Counts, data: Sample) -> Counts:
        """The counter with these records added."""
        place, told = combination_of(self.schema, data.x), truths(data, self.k)
        place = (place << self.k) + told @ (1 << np.arange(self.k))
        counter += np.bincount(place, minlength=counter.size).reshape(self.shape)
        return counter

    def merge(self, left: Counts, right: Counts) -> Counts:
        left += right
        return left

    def of(self, data: Sample | Streamed) -> Counts:
        """The counts of all records, in one pass."""
        if isinstance(data, Streamed):
            return data.fold(self)
        return self.add_records(self.zero(), data)
