"""Files as samples: checked before the charge, read once after it.

A Parquet column has a type of its own, which is public. A CSV file has none, and a
guessed one would depend on every record: a single word among the numbers would turn
them all into text. So CSV cells are read as text and each one is placed by itself.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import numpy as np
import numpy.typing as npt

from tacit.core import BadInput, Source
from tacit.core.label_values import LabelValues
from tacit.core.resources import resources
from tacit.core.source import Batch, Filters
from tacit.core.tally import Glimpsed, Named, Streamed, Tally, fold
from tacit.domains.schema import Schema
from tacit.domains.taking import taken
from tacit.sources.batch_reading import NumberReading, Reading, TableReading
from tacit.sources.beginning import SOME_ROWS, ReadsSome
from tacit.sources.frames import FrameTable
from tacit.sources.ignored import BOTH
from tacit.sources.shares import MANY_ROWS, Shared
from tacit.sources.spelling import used, word_columns
from tacit.sources.types import check_label, check_numbers, check_schema
from tacit.sources.words import refuse_unread, there
from tacit.tallies.arrays import fold_ahead, fold_shares

if TYPE_CHECKING:
    import pyarrow as pa

S = TypeVar("S")
_WORTH_A_GLIMPSE = 32 * SOME_ROWS


class Distributed(ABC):
    """A source that counts where its records are, and sends the counts."""

    @abstractmethod
    def fold(self, columns: Sequence[str], read: Callable[[Batch], Batch], tally: Tally[S]) -> S:
        """The counter of all records, each batch of these columns read by ``read``."""

    @abstractmethod
    def kept_of_persons(
        self, columns: Sequence[str], keep: Callable[[Any], Any]
    ) -> Iterator[pa.RecordBatch]:
        """What ``keep`` leaves of tables of these columns, each with all rows of some persons.

        The first column tells persons apart. What is left of one person stays together.
        """


def check_columns(source: Source, *wanted: str) -> None:
    """Refuse a column that the source does not have.

    A first line without any of several columns may be a record: then it is not repeated.
    """
    known = source.types
    refuse_unread(source, wanted)
    untyped = all(kind is None for kind in known.values())
    if untyped and len(wanted) > 1 and not any(name in known for name in wanted):
        raise BadInput(
            f"{source.name} has none of the columns {', '.join(wanted)}: its first line must name "
            "the columns (`tacit doctor` shows its owner what it says)"
        )
    for name in wanted:
        if name not in known:
            raise BadInput(f"{source.name} has no column {name!r}; {there(known, wanted)}")


def read_table(source: Source, names: Sequence[str]) -> Any:
    """These columns as an Arrow table, in file order; the cells of a CSV file as text.

    Of a frame, the whole as it is.
    """
    check_columns(source, *names)
    source.check(names)
    wanted = list(dict.fromkeys(names))
    batches = list(source.batches(wanted))
    return batches[0] if isinstance(source, FrameTable) else as_table(source, wanted, batches)


def as_table(source: Source, names: Sequence[str], batches: Sequence[Any]) -> Any:
    """Batches of these columns of a source as an Arrow table, also if there are none."""
    import pyarrow as pa

    if not batches:
        return pa.table({name: pa.array([], _empty(source.types[name])) for name in names})
    return pa.Table.from_batches(batches)


def _empty(kind: object) -> Any:
    import pyarrow as pa

    return pa.string() if kind is None else kind


class StreamedRecords(Streamed, Glimpsed, Named):
    """Features and labels of one source, from one scan, made when first asked for."""

    def __init__(self, source: Source, reading: Reading) -> None:
        self._source = used(source, words=(*reading.words, *reading.labels))
        self._reading = reading
        self._source.check(reading.names)

    @property
    def kept_in(self) -> tuple[object, ...]:
        """The source."""
        return (self._source,)

    @property
    def positive(self) -> bool:
        """``y`` holds truth values already."""
        return True

    @property
    def values(self) -> None:
        """``y`` holds the numbers of label values already, where there are more than two."""
        return

    @property
    def tasks(self) -> int:
        """How many label columns there are: public."""
        return len(self._reading.labels)

    @property
    def filtered(self) -> bool:
        """Whether the number of records depends on what they hold."""
        return isinstance(self._source, Filters) and self._source.filtered

    @property
    def width(self) -> int:
        """How many columns are read: public."""
        return len(self._reading.names)

    @cached_property
    def _table(self) -> Any:
        return read_table(self._source, self._reading.names)

    @cached_property
    def x(self) -> Any:
        """The features."""
        return self._used(self._reading.features(self._table))

    @cached_property
    def y(self) -> npt.NDArray[Any] | None:
        """Which labels are the positive one, or the numbers of several."""
        truth: npt.NDArray[Any] | None = self._used(self._reading.truth(self._table))
        return truth

    @cached_property
    def fits(self) -> npt.NDArray[np.bool_]:
        """Which labels were declared."""
        fits: npt.NDArray[np.bool_] = self._used(self._reading.fits(self._table))
        return fits

    def _used(self, part: Any) -> Any:
        """What the reading keeps of features or labels of all records."""
        return taken(part, self._reading.kept(self._table)) if self._reading.ignore else part

    def declared(self) -> StreamedRecords:
        """The same, without the records whose label is neither of the declared values."""
        if self._reading.each:
            return self  # each label leaves out its own records
        if not self._reading.all_declared:
            raise BadInput(BOTH)
        if len(self._reading.labels) > 1:
            return StreamedRecords(self._source, self._reading.apart())
        return StreamedRecords(self._source, replace(self._reading, ignore=True))

    def only(self, columns: Iterable[str]) -> StreamedRecords:
        """The same records with these feature columns, or with one where these are none.

        What was checked for all columns is not looked at again: this is asked after the charge.
        """
        every, wanted = self._reading.columns, set(columns)
        few = tuple(name for name in every if name in wanted) or every[:1]
        fewer = StreamedRecords.__new__(StreamedRecords)
        fewer._source, fewer._reading = self._source, replace(self._reading, columns=few)
        return fewer

    def fold(self, tally: Tally[S]) -> S:
        """Count all records in one scan, here or where they are; a few batches are held."""
        if isinstance(self._source, Distributed):
            return self._source.fold(self._reading.names, self._reading, tally)
        rows, names = len(self), self._reading.names
        if not isinstance(self._source, Shared):
            return fold_ahead(map(self._reading, self._source.batches(names)), tally, rows=rows)
        shares = self._source.shares(names, resources().workers if rows > MANY_ROWS else 1)
        read = [map(self._reading, share) for share in shares]
        if len(read) == 1:
            return fold_ahead(read[0], tally, rows=rows)
        return fold_shares(read, tally, rows=rows)

    def glimpse(self, tally: Tally[S]) -> S | None:
        """The counter of some records, where these are read at once and are few of all."""
        if not isinstance(self._source, ReadsSome) or len(self) < _WORTH_A_GLIMPSE:
            return None
        return fold(map(self._reading, self._source.some(self._reading.names)), tally)

    def __len__(self) -> int:
        return self._source.count()

    def __repr__(self) -> str:
        return f"{type(self).__name__}(private)"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a sample holds private records and is not pickled; pass a path instead")


def number_reading(
    source: Source,
    *,
    columns: tuple[str, ...],
    labels: tuple[str, ...] = (),
    positive: object = 1,
    negative: object = None,
    exact: bool,
    low: int = 0,
    any_type: bool = False,
) -> NumberReading:
    """How columns of numbers are read; refuses public types that hold none.

    ``exact`` keeps the text of a CSV cell, and so every digit of a long integer; otherwise
    a cell becomes a float. ``low`` is the public value that stands for 0 of the domain.
    With ``any_type`` the columns hold categories, of any type.
    """
    if low and exact:
        raise BadInput("a range this wide must begin at 0")
    check_columns(source, *columns, *labels)
    types = {name: source.types[name] for name in columns}
    if not any_type:
        check_numbers(types, exact=exact, name=source.name)
    check_labels(source, labels, positive)
    if negative is not None:
        check_labels(source, labels, negative)
    return NumberReading(
        columns=columns,
        labels=labels,
        positive=positive,
        negative=negative,
        exact=exact,
        low=low,
        words=columns if any_type else (),
    )


def table_reading(
    source: Source,
    *,
    schema: Schema,
    label: str | None = None,
    positive: object = 1,
    negative: object = None,
    values: LabelValues | None = None,
) -> TableReading:
    """How the columns of a schema are read; refuses public types that cannot hold them."""
    labels = () if label is None else (label,)
    check_columns(source, *schema.names, *labels)
    check_schema(schema, source.types, name=source.name)
    told = (positive, *(() if negative is None else (negative,)))
    for value in told if values is None else values.declared:
        check_labels(source, labels, value)
    return TableReading(
        columns=schema.names,
        labels=labels,
        positive=positive,
        negative=negative,
        values=values,
        words=word_columns(schema),
    )


def check_labels(source: Source, labels: Sequence[str], positive: object) -> None:
    """Refuse label columns that are not there, or whose type cannot hold the value."""
    check_columns(source, *labels)
    for one in labels:
        check_label(source.types[one], positive, column=one, name=source.name)


class FileSample(StreamedRecords):
    """A ``Sample`` of one or several columns of numbers: ``number_reading``."""

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
        reading = number_reading(
            source, columns=columns, labels=labels, positive=positive, exact=exact, low=low
        )
        super().__init__(source, reading)


class TableSample(StreamedRecords):
    """A ``Sample`` over the columns of a schema."""

    def __init__(
        self,
        source: Source,
        *,
        schema: Schema,
        label: str,
        positive: object,
        negative: object = None,
        values: LabelValues | None = None,
    ) -> None:
        told = {"positive": positive, "negative": negative}
        super().__init__(
            source, table_reading(source, schema=schema, label=label, values=values, **told)
        )
