"""How a batch of a source becomes features and labels: public settings, sent to any worker."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from tacit.core import Label
from tacit.core.label_values import LabelValues
from tacit.core.named import SeveralLabels
from tacit.core.source import Batch
from tacit.domains.columns import as_array
from tacit.domains.labels import equals, numbered
from tacit.domains.marked import Marks, mark, number_marks
from tacit.domains.placing import as_floats
from tacit.domains.taking import taken
from tacit.domains.texts import is_text, place_numbers, place_texts
from tacit.domains.values import key
from tacit.exact.arrays import Values
from tacit.sources.frames import FrameBatch
from tacit.sources.kept import Narrow
from tacit.tallies.arrays import ReadBatch


def numbers(column: object) -> Values:
    """A column with text cells as floats, NaN for what is no number; any other as it is."""
    return place_numbers(column, as_floats) if is_text(column) else as_array(column)


def labels_of(column: object, positive: object) -> npt.NDArray[np.bool_]:
    """Which cells equal the public value ``positive``, as text or as a number."""
    if not is_text(column):
        return equals(as_array(column), positive)
    place = place_numbers if isinstance(key(positive), float) else place_texts
    return place(column, lambda cells: equals(cells, positive))


def label_numbers(column: object, values: Sequence[object]) -> npt.NDArray[np.int64]:
    """The place of each cell among public values, as text or as a number; -1 for any other."""

    def place(cells: Values) -> npt.NDArray[np.int64]:
        return numbered(cells, values, otherwise=-1)

    return place_texts(column, place) if is_text(column) else place(as_array(column))


def _label(table: Any, name: str) -> Any:
    """A column that is only compared with public values, as whole numbers of any type."""
    return table.whole(name) if isinstance(table, Narrow) else table.column(name)


@dataclass(frozen=True, kw_only=True)
class Reading(ABC):
    """Which columns are features and labels, and which label value means 1: all public.

    With more than two label ``values`` a label is read as the number of its value. Of the
    features, ``words`` are compared as words, and all others are numbers.
    With ``ignore`` records whose label is none of the declared ones are left out of a batch.
    Several labels with values of their own stand in ``each`` and are read as marks; with
    ``leave_out`` a label that is neither of its values has the mark 0.
    """

    columns: tuple[str, ...]
    labels: tuple[str, ...] = ()
    positive: object = 1
    negative: object = None
    ignore: bool = False
    values: LabelValues | None = None
    words: tuple[str, ...] = ()
    each: tuple[Label | SeveralLabels, ...] = ()
    leave_out: bool = False

    @property
    def names(self) -> list[str]:
        """Every column that is read, once."""
        return list(dict.fromkeys((*self.columns, *self.labels)))

    @abstractmethod
    def features(self, table: object) -> Any:
        """The features of the records of a table or a batch."""

    @property
    def all_declared(self) -> bool:
        """Whether every label value is declared, so that others can be told."""
        return self.negative is not None or self.values is not None

    def truth(self, table: Any) -> npt.NDArray[Any] | None:
        """Which labels are the positive one; a column a task if there are several.

        With more than two label values, the number of each label.
        """
        if not self.labels:
            return None
        if self.values is not None:
            numbers = self._numbers_of(table)
            return np.where(numbers < 0, self.values.otherwise, numbers)
        if self.each:
            marks = [self._marked(table, *one) for one in zip(self.labels, self.each, strict=True)]
            return np.stack(marks, axis=1)
        read = [labels_of(_label(table, name), self.positive) for name in self.labels]
        return read[0] if len(read) == 1 else np.stack(read, axis=1)

    def apart(self) -> Self:
        """The same for several labels, each of which leaves out its own records."""
        labels = tuple(
            Label(name=name, negative=self.negative, positive=self.positive)  # type: ignore[arg-type]
            for name in self.labels
        )
        return replace(self, each=labels, leave_out=True)

    def _marked(self, table: Any, name: str, label: Label | SeveralLabels) -> Marks:
        column = _label(table, name)
        if isinstance(label, SeveralLabels):
            return number_marks(label_numbers(column, label.values), ignore=self.leave_out)
        negative = labels_of(column, label.negative) if self.leave_out else None
        return mark(labels_of(column, label.positive), negative)

    def fits(self, table: Any) -> npt.NDArray[np.bool_]:
        """Which records have a declared label."""
        if self.values is not None:
            return self._numbers_of(table) >= 0
        if self.negative is None:
            return np.ones(table.num_rows, dtype=bool)
        column = _label(table, self.labels[0])
        return labels_of(column, self.positive) | labels_of(column, self.negative)

    def _numbers_of(self, table: Any) -> npt.NDArray[np.int64]:
        """The number of each label among the declared values; -1 for any other."""
        assert self.values is not None
        return label_numbers(_label(table, self.labels[0]), self.values.declared)

    def __call__(self, batch: Batch) -> ReadBatch:
        """Features and labels of one batch, and which labels were declared."""
        parts = (self.features(batch), self.truth(batch), self.fits(batch))
        if not self.ignore:
            return ReadBatch(parts, batch.num_rows)
        rows = self.kept(batch)
        return ReadBatch(tuple(taken(part, rows) for part in parts), len(rows))

    def kept(self, table: Any) -> npt.NDArray[np.int64]:
        """The places of the records that are used."""
        every = np.arange(table.num_rows, dtype=np.int64)
        return every[self.fits(table)] if self.ignore else every


@dataclass(frozen=True, kw_only=True)
class NumberReading(Reading):
    """Columns of numbers; ``exact`` keeps every digit of a text cell, ``low`` stands for 0."""

    exact: bool
    low: int = 0

    def features(self, table: Any) -> Values:
        arrays = [self._numbers(table.column(name)) for name in self.columns]
        if len(arrays) == 1:
            return arrays[0]
        # Side by side, a column of floats would round the whole numbers of another.
        same = len({one.dtype for one in arrays}) == 1
        return np.stack([one if same else one.astype(object) for one in arrays], axis=1)

    def _numbers(self, column: object) -> Values:
        read = as_array(column) if self.exact else numbers(column)
        return as_floats(read) - self.low if self.low else read


@dataclass(frozen=True, kw_only=True)
class TableReading(Reading):
    """The columns of a schema, as an Arrow table; a frame stays what it is."""

    def features(self, table: Any) -> Any:
        import pyarrow as pa

        if isinstance(table, FrameBatch):
            return table.frame
        return pa.table({name: table.column(name) for name in self.columns})
