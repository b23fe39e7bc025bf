"""Files as samples: checked before the charge, read once after it.

A Parquet column has a type of its own, which is public. A CSV file has none, and a
guessed one would depend on every record: a single word among the numbers would turn
them all into text. So CSV cells are read as text and each one is placed by itself.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from tacit.core import BadInput, Source
from tacit.core.tally import Streamed, Tally
from tacit.domains.columns import as_array
from tacit.domains.labels import equals
from tacit.domains.placing import as_floats
from tacit.domains.schema import Schema
from tacit.sources.types import check_label, check_numbers, check_schema
from tacit.tallies.arrays import ReadBatch, fold_ahead

S = TypeVar("S")


def check_columns(source: Source, *wanted: str) -> None:
    """Refuse a column that the source does not have."""
    known = source.types
    for name in wanted:
        if name not in known:
            raise BadInput(f"{source.name} has no column {name!r}; it has {', '.join(known)}")


def read_table(source: Source, names: Sequence[str]) -> Any:
    """These columns as an Arrow table, in file order; the cells of a CSV file as text."""
    import pyarrow as pa

    check_columns(source, *names)
    source.check(names)
    wanted = list(dict.fromkeys(names))
    batches = list(source.batches(wanted))
    if not batches:
        return pa.table({name: pa.array([], _empty(source.types[name])) for name in wanted})
    return pa.Table.from_batches(batches)


def _empty(kind: object) -> Any:
    import pyarrow as pa

    return pa.string() if kind is None else kind


def numbers(column: Any) -> npt.NDArray[Any]:
    """A column with text cells as floats, NaN for what is no number; any other as it is."""
    array = as_array(column)
    return as_floats(array) if array.dtype == object and _is_text(column) else array


def _is_text(column: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_string(column.type) or pa.types.is_large_string(column.type))


def labels_of(column: Any, positive: object) -> npt.NDArray[np.bool_]:
    """Which cells equal the public value ``positive``, as text or as a number."""
    return equals(as_array(column), positive)


class _Records(Streamed):
    """Features and labels of one source, from one scan, made when first asked for."""

    def __init__(
        self, source: Source, *, columns: Sequence[str], labels: Sequence[str], positive: object
    ) -> None:
        self._source, self._columns, self._labels = source, tuple(columns), tuple(labels)
        self._positive = positive
        check_columns(source, *columns, *labels)
        for one in labels:
            check_label(source.types[one], positive, column=one, name=source.name)
        source.check((*columns, *labels))

    @property
    def positive(self) -> bool:
        """``y`` holds truth values already."""
        return True

    @property
    def tasks(self) -> int:
        """How many label columns there are: public."""
        return len(self._labels)

    @cached_property
    def _table(self) -> Any:
        return read_table(self._source, (*self._columns, *self._labels))

    @cached_property
    def x(self) -> Any:
        """The features."""
        return self._features(self._table)

    @cached_property
    def y(self) -> npt.NDArray[np.bool_] | None:
        """Which labels are the positive one."""
        return self._truth(self._table)

    @abstractmethod
    def _features(self, table: Any) -> Any:
        """The features of the records of a table or a batch."""

    def _truth(self, table: Any) -> npt.NDArray[np.bool_] | None:
        if not self._labels:
            return None
        read = [labels_of(table.column(name), self._positive) for name in self._labels]
        return read[0] if len(read) == 1 else np.stack(read, axis=1)

    def fold(self, tally: Tally[S]) -> S:
        """Count all records in one scan, never holding more than a few batches."""
        names = list(dict.fromkeys((*self._columns, *self._labels)))

        def batches() -> Iterator[ReadBatch]:
            for batch in self._source.batches(names):
                yield ReadBatch((self._features(batch), self._truth(batch)), batch.num_rows)

        return fold_ahead(batches(), tally)

    def __len__(self) -> int:
        return self._source.count()

    def __repr__(self) -> str:
        return f"{type(self).__name__}(private)"

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("a sample holds private records and is not pickled; pass a path instead")


class FileSample(_Records):
    """A ``Sample`` of one or several columns of numbers.

    ``exact`` keeps the text of a CSV cell, and so every digit of a long integer; otherwise
    a cell becomes a float. ``low`` is the public value that stands for 0 of the domain.
    """

    def __init__(
        self,
        source: Source,
        *,
        columns: tuple[str, ...],
        labels: tuple[str, ...] = (),
        positive: object = 1,
        exact: bool,
        low: int = 0,
    ) -> None:
        if low and exact:
            raise BadInput("a range this wide must begin at 0")
        check_columns(source, *columns)
        types = {name: source.types[name] for name in columns}
        check_numbers(types, exact=exact, name=source.name)
        super().__init__(source, columns=columns, labels=labels, positive=positive)
        self._exact, self._low = exact, low

    def _features(self, table: Any) -> npt.NDArray[Any]:
        arrays = [self._numbers(table.column(name)) for name in self._columns]
        if len(arrays) == 1:
            return arrays[0]
        # Side by side, a column of floats would round the whole numbers of another.
        same = len({one.dtype for one in arrays}) == 1
        return np.stack([one if same else one.astype(object) for one in arrays], axis=1)

    def _numbers(self, column: Any) -> npt.NDArray[Any]:
        read = as_array(column) if self._exact else numbers(column)
        return as_floats(read) - self._low if self._low else read


class TableSample(_Records):
    """A ``Sample`` over the columns of a schema."""

    def __init__(self, source: Source, *, schema: Schema, label: str, positive: object) -> None:
        check_columns(source, *schema.names)
        check_schema(schema, source.types, name=source.name)
        super().__init__(source, columns=schema.names, labels=(label,), positive=positive)

    def _features(self, table: Any) -> Any:
        """As an Arrow table."""
        import pyarrow as pa

        return pa.table({name: table.column(name) for name in self._columns})
