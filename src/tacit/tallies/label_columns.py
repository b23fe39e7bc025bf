"""Records with several label columns: as each task sees them, and numbers of all tasks at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, cast

import numpy as np
import numpy.typing as npt

from tacit.core import Hypothesis, Sample
from tacit.core.named import label_count
from tacit.core.source import Batch
from tacit.core.tally import Settles, Streamed, Tally
from tacit.domains.marked import Marks, marks, marks_of
from tacit.domains.placing import PlacedTable
from tacit.domains.schema import Schema
from tacit.domains.taking import taken
from tacit.tallies.arrays import ReadBatch
from tacit.tallies.placed import placed

S = TypeVar("S")
Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class OfTask(Settles[S]):
    """What ``tally`` counts of the records that a task does not leave out, with its labels."""

    tally: Tally[S]
    task: int
    values: int = 2

    def zero(self) -> S:
        return self.tally.zero()

    def add(self, counter: S, batch: Batch) -> S:
        marked = marks_of(np.asarray(batch.column(1)))[:, self.task]
        x, y = _told(batch.column(0), marked, self.values)
        return self.tally.add(counter, ReadBatch((x, y), len(y)))

    def merge(self, left: S, right: S) -> S:
        return self.tally.merge(left, right)

    def finished(self, counter: S) -> S:
        """The counter with nothing that waits."""
        return self.tally.finished(counter) if isinstance(self.tally, Settles) else counter


@dataclass(frozen=True, slots=True, eq=False)
class OneLabel(Streamed):
    """Streamed records as one task sees them: every fold is one over all of them."""

    records: Streamed
    task: int
    values: int = 2

    def __repr__(self) -> str:
        return "OneLabel(private)"

    def __len__(self) -> int:
        return len(self.records)

    def fold(self, tally: Tally[S]) -> S:
        """The counter of the records that this task does not leave out."""
        return self.records.fold(OfTask(tally, self.task, self.values))


@dataclass(frozen=True, slots=True)
class PositiveCounts:
    """How many records have the mark 1 in each of ``k`` label columns."""

    k: int

    def zero(self) -> Counts:
        return np.zeros(self.k, dtype=np.int64)

    def add(self, counter: Counts, batch: Batch) -> Counts:
        return counter + _positive(marks_of(np.asarray(batch.column(1))))

    def merge(self, left: Counts, right: Counts) -> Counts:
        return left + right


@dataclass(frozen=True, slots=True)
class MistakesOfAll:
    """How many records of each label value each rule gets wrong: one rule a label column, all over
    one schema.
    """

    rules: tuple[Hypothesis, ...]
    schema: Schema

    def zero(self) -> Counts:
        return np.zeros((len(self.rules), 2), dtype=np.int64)

    def add(self, counter: Counts, batch: Batch) -> Counts:
        table = PlacedTable(self.schema.coerce(batch.column(0)), self.schema)
        return counter + wrong(self.rules, table, marks_of(np.asarray(batch.column(1))))

    def merge(self, left: Counts, right: Counts) -> Counts:
        return left + right


def wrong(rules: Sequence[Hypothesis], x: Any, each: Marks) -> Counts:
    """How many records each rule gets wrong among those that its task does not leave out.

    Those of the negative value and those of any other, a column each.
    """
    found = np.zeros((len(rules), 2), dtype=np.int64)
    for task, rule in enumerate(rules):
        said, marks, two = rule.predict(x), each[:, task], label_count(rule) == 2
        right = np.where(said, 1, -1) if two else np.asarray(said) + 1
        mistaken = marks[(marks != 0) & (marks != right)]
        first = int(np.count_nonzero(mistaken == (-1 if two else 1)))
        found[task] = first, len(mistaken) - first
    return found


def _positive(each: Marks) -> Counts:
    return np.asarray((each > 0).sum(axis=0), dtype=np.int64)


def _told(x: Any, marked: Marks, values: int) -> tuple[Any, npt.NDArray[Any]]:
    """The records that a task does not leave out, with its labels: truth values, or the numbers of
    more than two ``values``.
    """
    kept = marked != 0
    labels: npt.NDArray[Any] = marked > 0 if values == 2 else marked.astype(np.int64) - 1
    if kept.all():
        return x, labels
    rows = np.flatnonzero(kept)
    if isinstance(x, PlacedTable):
        return PlacedTable(x.cells[rows], x.by), labels[kept]
    return taken(x, rows), labels[kept]


class LabelColumns(Protocol):
    """Records with several label columns."""

    def of_task(self, task: int) -> Sample:
        """The records that a task does not leave out, with its labels."""
        ...

    def positive(self) -> Counts:
        """How many records have each positive label."""
        ...

    def mistakes(self, rules: tuple[Hypothesis, ...]) -> Counts:
        """How many records the rule of each label gets wrong, as ``wrong`` counts them."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class HeldColumns:
    """Records that are held: as they came, or as the public cells of a schema, placed once."""

    x: Any
    each: Marks
    values: tuple[int, ...] = ()

    def __repr__(self) -> str:
        return "HeldColumns(private)"

    def of_task(self, task: int) -> Sample:
        values = self.values[task] if self.values else 2
        return Sample(*_told(self.x, self.each[:, task], values), positive=True)

    def positive(self) -> Counts:
        return _positive(self.each)

    def mistakes(self, rules: tuple[Hypothesis, ...]) -> Counts:
        return wrong(rules, self.x, self.each)


@dataclass(frozen=True, slots=True, eq=False)
class CountedColumns:
    """Records that are counted: one pass a question, and nothing is held."""

    records: Streamed
    schema: Schema
    k: int
    values: tuple[int, ...] = ()

    def __repr__(self) -> str:
        return "CountedColumns(private)"

    def of_task(self, task: int) -> Sample:
        values = self.values[task] if self.values else 2
        return cast(Sample, OneLabel(self.records, task, values))

    def positive(self) -> Counts:
        return self.records.fold(PositiveCounts(self.k))

    def mistakes(self, rules: tuple[Hypothesis, ...]) -> Counts:
        return self.records.fold(MistakesOfAll(rules, self.schema))


def label_columns(
    data: Sample | Streamed,
    schema: Schema | None,
    k: int,
    *,
    counts: bool,
    values: tuple[int, ...] = (),
) -> LabelColumns:
    """The records of two or more label columns, of two values each if ``values`` says no more.

    With ``counts``, streamed ones are passed over for each question; else their cells are held.

    Without a schema they are held as they came.
    """
    if schema is None:
        return HeldColumns(cast(Sample, data).x, marks(data, k), values)
    if counts and isinstance(data, Streamed):
        return CountedColumns(data, schema, k, values)
    if isinstance(data, Streamed):
        cells, each = placed(data, schema, tasks=k)
        return HeldColumns(PlacedTable(cells, schema), each, values)
    return HeldColumns(PlacedTable(schema.coerce(data.x), schema), marks(data, k), values)
