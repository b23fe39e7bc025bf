"""How a batch of a source becomes features and labels: public settings, sent to any worker."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.core.source import Batch
from tacit.domains.columns import as_array
from tacit.domains.labels import equals
from tacit.domains.placing import as_floats
from tacit.domains.texts import is_text, place_numbers, place_texts
from tacit.exact.arrays import Values
from tacit.sources.frames import FrameBatch
from tacit.sources.ignored import taken
from tacit.tallies.arrays import ReadBatch


def numbers(column: object) -> Values:
    """A column with text cells as floats, NaN for what is no number; any other as it is."""
    return place_numbers(column, as_floats) if is_text(column) else as_array(column)


def labels_of(column: object, positive: object) -> npt.NDArray[np.bool_]:
    """Which cells equal the public value ``positive``, as text or as a number."""
    if is_text(column):
        return place_texts(column, lambda texts: equals(texts, positive))
    return equals(as_array(column), positive)


@dataclass(frozen=True, kw_only=True)
class Reading(ABC):
    """Which columns are features and labels, and which label value means 1: all public.

    With ``ignore`` records whose label is none of the declared ones are left out of a batch.
    """

    columns: tuple[str, ...]
    labels: tuple[str, ...] = ()
    positive: object = 1
    negative: object = None
    ignore: bool = False

    @property
    def names(self) -> list[str]:
        """Every column that is read, once."""
        return list(dict.fromkeys((*self.columns, *self.labels)))

    @abstractmethod
    def features(self, table: object) -> Any:
        """The features of the records of a table or a batch."""

    def truth(self, table: Any) -> npt.NDArray[np.bool_] | None:
        """Which labels are the positive one; a column a task if there are several."""
        if not self.labels:
            return None
        read = [labels_of(table.column(name), self.positive) for name in self.labels]
        return read[0] if len(read) == 1 else np.stack(read, axis=1)

    def fits(self, table: Any) -> npt.NDArray[np.bool_]:
        """Which records have a declared label."""
        if self.negative is None:
            return np.ones(table.num_rows, dtype=bool)
        column = table.column(self.labels[0])
        return labels_of(column, self.positive) | labels_of(column, self.negative)

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
