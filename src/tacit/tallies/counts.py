"""Count records by public cells: of one to four columns together, or of a hash."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from tacit.core import BadInput
from tacit.core.source import Batch
from tacit.tallies.digits import Table
from tacit.tallies.reading import Cells, Column, Label

Counts = npt.NDArray[np.int64]
_MOST_COLUMNS = 4
_MOST_CELLS = 1 << 26


@dataclass(frozen=True, slots=True)
class JointCounts:
    """Count records by the cells of one to four columns, and by label if there is one.

    ``sizes`` says how many cells each column's domain has. The counter is a dense array with
    one axis a column, and a last one of length 2 for the label.
    """

    columns: tuple[Column, ...]
    sizes: tuple[int, ...]
    label: Label | None = None

    def __post_init__(self) -> None:
        if not 1 <= len(self.columns) <= _MOST_COLUMNS or len(self.sizes) != len(self.columns):
            raise BadInput("joint counts take one to four columns, with a number of cells each")
        if math.prod(self._shape()) > _MOST_CELLS:
            raise BadInput("these columns have more than 2**26 cells together; take fewer")

    def _shape(self) -> tuple[int, ...]:
        return self.sizes if self.label is None else (*self.sizes, 2)

    def zero(self) -> Counts:
        return np.zeros(self._shape(), dtype=np.int64)

    def add(self, counter: Counts, batch: Batch) -> Counts:
        from tacit.tallies.kernels import count_joint

        cells = [column.read(batch) for column in self.columns]
        if self.label is not None:
            cells.append(self.label.read(batch).astype(np.uint64))
        strides = np.array(counter.strides, dtype=np.int64) // counter.itemsize
        count_joint(np.stack(cells), strides, counter.reshape(-1))
        return counter

    def merge(self, left: Counts, right: Counts) -> Counts:
        left += right
        return left


class Hashing(Protocol):
    """A public function from values to ``0, ..., cells - 1``."""

    def __call__(self, values: Cells) -> Cells: ...


@dataclass(frozen=True, slots=True)
class HashedCounts:
    """Count records by a public hash of one column and by label."""

    column: Column
    hashing: Hashing
    cells: int
    label: Label | None = None

    def zero(self) -> Table:
        return Table(self.cells, ways=2)

    def add(self, counter: Table, batch: Batch) -> Table:
        from tacit.exact.compiled import steady
        from tacit.tallies.kernels import count_leading

        counter.room_for(batch.num_rows)
        hashed = self.hashing(self.column.read(batch))
        labels = np.zeros(len(hashed), dtype=bool) if self.label is None else self.label.read(batch)
        seen = steady(hashed), steady(labels.view(np.uint8))
        count_leading(*seen, np.uint64(0), counter.words)
        return counter

    def merge(self, left: Table, right: Table) -> Table:
        return left.join(right)
