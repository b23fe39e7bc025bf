"""Count the distinct values of records: one row of a table for each value that occurs.

The table has no more rows than there are records, nor more than the domain has values: both are
public, so what it may take is known before the charge.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar

import numpy as np
import numpy.typing as npt

from tacit.core import Sample
from tacit.core.resources import resources
from tacit.core.source import Batch
from tacit.core.tally import Streamed, Tally
from tacit.domains.labels import truth
from tacit.domains.placing import Placing
from tacit.exact.arrays import Placed
from tacit.tallies.arrays import ReadBatch

Counts = npt.NDArray[np.int64]
S = TypeVar("S")
_FEW, _AT_ONCE = 1 << 16, 1 << 18
_MOST_ROWS, _BYTES_A_ROW = 1 << 22, 96
"""A table of at most so many rows is small: 400 MB while it is merged."""
_WORD, _COPIES, _BYTES_AN_INTEGER = 64, 4, 40
"""Beyond a word a value is a Python integer, of which so many are held while a table is read."""


class OfLabels(ABC):
    """A placing that reads the labels of a record together with its value."""

    __slots__ = ()

    @abstractmethod
    def coerce(self, data: Sample, /) -> Placed:
        """The cells of the records, each by itself; a record may have none."""


Part = tuple[Placed, Counts]
"""Ascending distinct values, and one row of counts a label (one row where none is read)."""


@dataclass(slots=True, eq=False)
class Seen:
    """The distinct values so far: a table, and parts that wait to be merged into it."""

    parts: list[Part] = field(default_factory=list)
    waiting: int = 0

    def __repr__(self) -> str:
        return "Seen(private)"

    def join(self, parts: list[Part]) -> Seen:
        """Add the counts of these parts; merged when they are as long as the table is."""
        self.parts += parts
        self.waiting += sum(len(values) for values, _ in parts)
        if self.waiting > _FEW and self.waiting > 2 * len(self.parts[0][0]):
            self.table()
        return self

    def table(self) -> Part | None:
        """All of it in one part; ``None`` if no batch was read."""
        if len(self.parts) > 1:
            values = np.concatenate([part[0] for part in self.parts])
            counts = np.concatenate([part[1] for part in self.parts], axis=1)
            self.parts = [_added(values, counts)]
            self.waiting = len(self.parts[0][0])
        return self.parts[0] if self.parts else None


def _added(values: Placed, counts: Counts) -> Part:
    """Equal values in one place, with the sum of their counts; ascending."""
    order = np.argsort(values, kind="stable")
    values, counts = values[order], counts[:, order]
    fresh = np.ones(len(values), dtype=bool)
    fresh[1:] = values[1:] != values[:-1]
    firsts = np.flatnonzero(fresh)
    return values[firsts], np.add.reduceat(counts, firsts, axis=1) if len(firsts) else counts


@dataclass(frozen=True, slots=True)
class DistinctCells:
    """Count the distinct cells of the records, by label where ``labelled``."""

    domain: Placing | OfLabels
    labelled: bool = False

    def zero(self) -> Seen:
        return Seen()

    def add(self, counter: Seen, batch: Batch) -> Seen:
        x, y = batch.column(0), batch.column(1)
        seen: Any = Sample(x, y, positive=True) if isinstance(self.domain, OfLabels) else x
        cells = self.domain.coerce(seen)
        labels = np.asarray(y, dtype=bool) if self.labelled else None
        return counter.join([counted(cells, labels)])

    def merge(self, left: Seen, right: Seen) -> Seen:
        return left.join(right.parts)


def counted(cells: Placed, labels: npt.NDArray[np.bool_] | None) -> Part:
    """The distinct cells, ascending, with how many there are: a row a label, or one row."""
    if cells.dtype == np.uint64 and len(cells) and int(cells.max()) < len(cells):
        return _tabled(cells, labels)
    if labels is None:
        values, counts = np.unique(cells, return_counts=True)
        return values, counts[None, :].astype(np.int64, copy=False)
    values, place = np.unique(cells, return_inverse=True)
    both = np.bincount(2 * place + labels, minlength=2 * len(values)).reshape(-1, 2)
    return values, np.ascontiguousarray(both.T.astype(np.int64, copy=False))


def _tabled(cells: npt.NDArray[np.uint64], labels: npt.NDArray[np.bool_] | None) -> Part:
    """``counted`` for cells below the number of records: in a table no longer than these."""
    places = cells.view(np.int64)
    if labels is None:
        counts = np.bincount(places)[None, :]
    else:
        counts = np.bincount(2 * places + labels, minlength=2 * int(cells.max()) + 2)
        counts = counts.reshape(-1, 2).T
    values = np.flatnonzero(counts.any(axis=0))
    return values.astype(np.uint64), np.ascontiguousarray(counts[:, values], dtype=np.int64)


def features(data: Sample | Streamed) -> object:
    """The records without their labels: arrays as they came, or batches to be read."""
    return data if isinstance(data, Streamed) else data.x


def distinct(data: object, domain: Placing | OfLabels) -> tuple[Placed, Counts]:
    """The distinct cells of some records, ascending, and how often each occurs.

    ``data`` is what ``domain`` reads, or batches of it.
    """
    values, counts = _table(data, domain) if isinstance(data, Streamed) else _listed(data, domain)
    return values, counts[0]


def distinct_labelled(data: Sample | Streamed, domain: Placing) -> tuple[Placed, Counts, Counts]:
    """The distinct cells, ascending, with how many records of label 0 and of label 1 each has."""
    if isinstance(data, Streamed):
        values, (zeros, ones) = _table(data, domain, labelled=True)
    else:
        values, (zeros, ones) = counted(domain.coerce(data.x), truth(data))
    return values, zeros, ones


def _listed(data: Any, domain: Placing | OfLabels) -> Part:
    return counted(domain.coerce(data), None)


def _table(data: Streamed, domain: Placing | OfLabels, *, labelled: bool = False) -> Part:
    found = data.fold(DistinctCells(domain, labelled)).table()
    if found is not None:
        return found
    nothing: Any = np.empty(0, dtype=np.uint64)
    values = nothing.astype(object) if isinstance(domain, OfLabels) else domain.coerce(nothing)
    return values, np.zeros((2 if labelled else 1, 0), dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Repeated(Streamed):
    """Records with equal ones held once: each is shown as often as it is counted, a few at a time.

    ``values`` and ``labels`` have one row a kind of record.
    """

    values: Placed
    labels: npt.NDArray[np.bool_]
    counts: Counts
    positive: ClassVar[bool] = True

    def __repr__(self) -> str:
        return "Repeated(private)"

    def __len__(self) -> int:
        return int(self.counts.sum())

    @property
    def x(self) -> Placed:
        """The value of every record, for whoever holds them all."""
        return np.repeat(self.values, self.counts, axis=0)

    @property
    def y(self) -> npt.NDArray[np.bool_]:
        """The labels of every record."""
        return np.repeat(self.labels, self.counts, axis=0)

    def fold(self, tally: Tally[S]) -> S:
        """The counter of all records."""
        counter, through = tally.zero(), np.cumsum(self.counts)
        for start in range(0, len(self), _AT_ONCE):
            ranks = np.arange(start, min(start + _AT_ONCE, len(self)))
            rows = np.searchsorted(through, ranks, side="right")
            batch = ReadBatch((self.values[rows], self.labels[rows]), len(rows))
            counter = tally.add(counter, batch)
        return counter


@dataclass(frozen=True, slots=True, eq=False)
class Ranked:
    """Records in ascending order, each read where the counts of the values say."""

    values: Placed
    through: Counts
    """How many records are at most each value."""

    def __repr__(self) -> str:
        return "Ranked(private)"

    @classmethod
    def of(cls, values: Placed, counts: Counts) -> Ranked:
        """The records of distinct ascending values that occur so often."""
        return cls(values, np.cumsum(counts))

    def __len__(self) -> int:
        return int(self.through[-1]) if len(self.through) else 0

    def __getitem__(self, rank: int) -> int:
        return int(self.values[np.searchsorted(self.through, rank, side="right")])


def fits_a_table(n: int | None, size: int) -> bool:
    """Whether the distinct values of ``n`` records (``None``: any number) among ``size`` make a
    table that is small beside the records.
    """
    memory, row = resources().memory, _BYTES_A_ROW
    if (bits := (size - 1).bit_length()) > _WORD:
        row += _COPIES * (_BYTES_AN_INTEGER + bits // 7)
    most = _MOST_ROWS if memory is None else min(_MOST_ROWS, memory // row)
    return min(size, size if n is None else n) <= most
