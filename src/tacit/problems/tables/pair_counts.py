"""Count the cells of every pair of columns of a long table, batch by batch, in little memory."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tacit.core.source import Batch
from tacit.domains.guards import check_cells
from tacit.domains.schema import Schema
from tacit.tallies.digits import Table


@dataclass(frozen=True, slots=True)
class PairTally:
    """How many records there are in each pair of cells of two columns, by label.

    Column 0 of a batch holds the table's columns, at least two; column 1 truth values. Batches
    are added to one counter, which is a hundredth of what ``counts`` makes of it.
    """

    schema: Schema

    @property
    def _pairs(self) -> list[tuple[int, int]]:
        every = range(self.schema.width)
        return [(one, other) for one in every for other in every[one + 1 :]]

    def zero(self) -> Table:
        cells = self.schema.cells
        return Table(sum(cells[one] * cells[other] for one, other in self._pairs), ways=1)

    def add(self, counter: Table, batch: Batch) -> Table:
        from tacit.exact.compiled import steady
        from tacit.problems.tables.count_kernels import add_tables

        cells = self.schema.coerce(batch.column(0))
        labels = np.asarray(batch.column(1), dtype=bool)
        check_cells(cells, labels, self.schema.cells)
        counter.room_for(len(labels))
        placed = steady(np.ascontiguousarray(cells.T)), steady(labels.view(np.uint8))
        widths = np.array(self.schema.cells, dtype=np.int64)
        add_tables(*placed, widths, counter.words[0])
        return counter

    def merge(self, left: Table, right: Table) -> Table:
        return left.join(right)

    def counts(self, counter: Table) -> npt.NDArray[np.int64]:
        """``counts[cell, other cell, label]``, with the cells of all columns numbered through.

        A record is in one cell of each column: two cells of one column have its records if they
        are the same cell, and none otherwise.
        """
        widths = self.schema.cells
        starts = np.concatenate(([0], np.cumsum(widths)))
        out = np.zeros((starts[-1], starts[-1], 2), dtype=np.int64)
        flat, place = counter.counts().T, 0
        for one, other in self._pairs:
            size = widths[one] * widths[other]
            table = flat[place : place + size].reshape(widths[one], widths[other], 2)
            place += size
            rows = slice(starts[one], starts[one + 1])
            columns = slice(starts[other], starts[other + 1])
            out[rows, columns] = table
            out[columns, rows] = table.transpose(1, 0, 2)
            if other == one + 1:  # each column once, but for the last
                _on_diagonal(out[rows, rows], table.sum(axis=1))
        _on_diagonal(out[columns, columns], table.sum(axis=0))
        return out


def _on_diagonal(block: npt.NDArray[np.int64], inside: npt.NDArray[np.int64]) -> None:
    each = np.arange(len(inside))
    block[each, each] = inside


def warm() -> None:
    """Compile the counting loop, before anything is charged."""
    from tacit.tallies.arrays import ReadBatch

    tally = PairTally(Schema.of([bool, bool]))
    tally.add(tally.zero(), ReadBatch((np.array([[True, True]]), np.array([True])), 1))
