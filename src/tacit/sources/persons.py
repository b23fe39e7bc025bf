"""Persons with several rows, from any source: the same rows are kept from each."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from tacit.core import BadInput, Domain, Sample, Source
from tacit.core.label_values import LabelValues
from tacit.core.persons import PersonRows
from tacit.core.source import Filters
from tacit.domains.columns import as_array
from tacit.domains.labels import declared, equals, numbered
from tacit.domains.persons import NOBODY, Owners, kept_rows, owners
from tacit.domains.taking import taken
from tacit.sources.batch_reading import Reading
from tacit.sources.files import Distributed, as_table, check_columns, read_table
from tacit.sources.ignored import BOTH
from tacit.sources.spelling import used
from tacit.sources.types import Family, column_type, family, stored

Labels = npt.NDArray[np.int8]
Places = npt.NDArray[np.int64]
Held = tuple[Any, Labels | None, Owners]
NEITHER = np.int8(-1)


def check_ids(kind: object, *, column: str, name: str) -> None:
    """Refuse a column whose public type holds no ids: they are text or whole numbers."""
    import pyarrow as pa

    held = family(kind)
    if held is None or held is Family.TEXT:
        return
    if held is Family.NUMBER and pa.types.is_integer(stored(kind)):
        return
    hint = ""
    if held is Family.NUMBER:
        hint = " (pandas makes floats of whole numbers when one is missing: read them as text)"
    raise BadInput(
        f"{name}: the column {column!r} tells persons apart, and is of type {kind}; ids must be "
        f"text or whole numbers{hint}; nothing was charged"
    )


def _labels(one: npt.NDArray[np.bool_], fits: npt.NDArray[np.bool_]) -> Labels:
    """1, 0, or -1 for a label that was not declared."""
    return np.where(one, np.int8(1), np.where(fits, np.int8(0), NEITHER))


def _choose(
    held: Held, domain: Domain, *, rows: int, declared: bool
) -> tuple[object, Labels | None, Owners, Places]:
    """Rows with their owners, and the places of those that are kept of each."""
    x, y, whose = held
    if declared and y is not None:
        whose = Owners(whose.ids, np.where(y == NEITHER, NOBODY, whose.places))
    return x, y, whose, kept_rows(whose, np.asarray(domain.coerce(x)), y, rows=rows)


def _read(table: Any, reading: Reading, unit: str) -> Held:
    """Features, labels and owners of the rows of a table."""
    one, labels = reading.truth(table), None
    if one is not None and reading.values is not None:
        labels = np.where(reading.fits(table), one, NEITHER).astype(np.int8)
    elif one is not None:
        every = np.ones(one.shape, dtype=bool)
        labels = _labels(one, reading.fits(table) if reading.all_declared else every)
    return reading.features(table), labels, owners(table.column(unit))


@dataclass(frozen=True, slots=True)
class Keeps:
    """What an engine keeps of a table that holds all rows of some persons: public settings."""

    reading: Reading
    unit: str
    domain: Domain
    rows: int
    declared: bool

    def __call__(self, table: Any) -> Any:
        """The rows that are kept, person after person."""
        held = _read(table, self.reading, self.unit)
        chosen = _choose(held, self.domain, rows=self.rows, declared=self.declared)
        return table.take(chosen[-1])


class PersonSample(ABC):
    """Records that belong to persons; implements ``tacit.core.persons.Persons``.

    Which rows are kept hangs on the cells of the public ``domain``: ``tacit.domains.persons``.
    """

    def __init__(self, domain: Domain) -> None:
        self._domain = domain

    @property
    def kept_in(self) -> tuple[object, ...]:
        """Where all rows are: ``tacit.core.source.Kept``."""
        return ()

    @property
    @abstractmethod
    def tasks(self) -> int:
        """How many label columns there are: public."""

    @property
    @abstractmethod
    def number(self) -> int:
        """How many persons have a row with their id."""

    @property
    @abstractmethod
    def _both_declared(self) -> bool:
        """Whether both label values were declared, or all of several."""

    @property
    def _values(self) -> LabelValues | None:
        """The label values, where there are more than two."""
        return None

    @abstractmethod
    def _rows(self) -> Held:
        """Features, labels and owners of all rows, from one scan.

        A label is 1, 0 or the number of one of several values; -1 where none was declared.
        """

    def at_most(self, rows: int) -> PersonRows:
        """At most so many rows of each person, person after person."""
        return self._person_rows(rows, declared=False)

    def _chosen(self, rows: int, *, declared: bool) -> tuple[object, Labels | None, Owners, Places]:
        """Features, labels and owners of rows, and the places of those that are kept.

        With ``declared`` rows whose label is none of the declared ones have no owner.
        """
        return _choose(self._rows(), self._domain, rows=rows, declared=declared)

    def _person_rows(self, rows: int, *, declared: bool) -> PersonRows:
        x, y, held, kept = self._chosen(rows, declared=declared)
        labels = None if y is None else y[kept]
        negative = 0 if self._both_declared else None
        values = None
        if self._values is not None:  # labels are the numbers of these values already
            values = replace(self._values, declared=tuple(range(len(self._values.declared))))
        return PersonRows(Sample(taken(x, kept), labels, 1, negative, values), held.places[kept])

    def __repr__(self) -> str:
        return f"{type(self).__name__}(private)"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a sample holds private records and is not pickled; pass a path instead")


class DeclaredPersons(PersonSample):
    """The same persons without the rows whose label is neither of the declared values.

    They are left out before rows are chosen; whoever has no other stays in ``number``.
    """

    def __init__(self, every: PersonSample) -> None:
        super().__init__(every._domain)
        self._every = every
        if every.tasks > 1:
            raise BadInput(
                "of several labels each leaves out its own records (other='ignore'), so no one row "
                "of a person serves all of them: learn one label at a time"
            )
        if not every._both_declared:
            raise BadInput(BOTH)

    @property
    def kept_in(self) -> tuple[object, ...]:
        """Where all rows are."""
        return (self._every,)

    @property
    def tasks(self) -> int:
        """How many label columns there are: public."""
        return self._every.tasks

    @property
    def number(self) -> int:
        """How many persons have a row with their id, whatever its label."""
        return self._every.number

    @property
    def _both_declared(self) -> bool:
        return True

    @property
    def _values(self) -> LabelValues | None:
        return self._every._values

    def _rows(self) -> Held:
        return self._every._rows()

    def _chosen(self, rows: int, *, declared: bool) -> tuple[object, Labels | None, Owners, Places]:
        del declared
        return self._every._chosen(rows, declared=True)


class ArrayPersons(PersonSample):
    """The persons of arrays: ``ids`` has one entry a record."""

    def __init__(self, sample: Sample, *, ids: object, domain: Domain) -> None:
        super().__init__(domain)
        self._sample = sample
        check_ids(column_type(ids), column="groups", name="data")
        if isinstance(ids, np.ndarray) and ids.dtype.kind in "cV":  # Arrow knows no such type
            raise BadInput("groups: ids must be text or whole numbers; nothing was charged")
        try:
            each = as_array(ids).shape == (len(sample),)
        except TypeError:  # neither an array nor a list
            each = False
        if not each:
            raise BadInput("groups must hold one id per record, in an array, a list or a column")
        self._owners = owners(ids)

    @property
    def kept_in(self) -> tuple[object, ...]:
        """Where all rows are."""
        return (self._sample,)

    @property
    def tasks(self) -> int:
        """How many label columns there are: public."""
        shape: tuple[int, ...] = as_array(self._sample.y).shape
        return shape[1] if len(shape) == 2 else 1

    @property
    def number(self) -> int:
        """How many persons have a row with their id."""
        return len(self._owners.ids)

    @property
    def _both_declared(self) -> bool:
        return self._sample.negative is not None or self._sample.values is not None

    @property
    def _values(self) -> LabelValues | None:
        return self._sample.values

    def _rows(self) -> Held:
        sample = self._sample
        if sample.y is None:
            return sample.x, None, self._owners
        held = as_array(sample.y)
        if held.ndim == 2 and held.shape[1] == 1:
            held = held[:, 0]
        if sample.values is not None:
            found = numbered(held, sample.values.declared, otherwise=-1)
            return sample.x, found.astype(np.int8), self._owners
        one = equals(held.ravel(), sample.positive).reshape(held.shape)
        fits = declared(held.ravel(), sample.positive, sample.negative).reshape(held.shape)
        return sample.x, _labels(one, fits), self._owners


class SourcePersons(PersonSample):
    """The persons of a source, told apart by its column ``unit``.

    Once the charge is made, all columns that are used are held in memory; of a source that
    chooses the rows itself, only those that are kept.
    """

    def __init__(self, source: Source, reading: Reading, *, unit: str, domain: Domain) -> None:
        super().__init__(domain)
        self._source = used(source, words=(*reading.words, *reading.labels), written=[unit])
        self._reading, self._unit = reading, unit
        if isinstance(source, Filters) and source.filtered:
            # How many persons meet the conditions would be told, and it hangs on their rows.
            raise BadInput("a query with conditions does not protect persons: leave out WHERE")
        check_columns(source, unit, *reading.names)
        if unit in reading.names:
            raise BadInput(
                f"{unit!r} tells persons apart: it can be neither a feature nor the label"
            )
        check_ids(source.types[unit], column=unit, name=source.name)
        self._source.check([unit, *reading.names])

    @property
    def kept_in(self) -> tuple[object, ...]:
        """Where all rows are."""
        return (self._source,)

    @property
    def tasks(self) -> int:
        """How many label columns there are: public."""
        return len(self._reading.labels)

    @cached_property
    def number(self) -> int:
        """How many persons have a row with their id."""
        found: set[str] = set()
        for batch in self._source.batches([self._unit]):
            found.update(owners(batch.column(0)).ids)
        return len(found)

    @cached_property
    def _table(self) -> Any:
        return read_table(self._source, [self._unit, *self._reading.names])

    @property
    def _both_declared(self) -> bool:
        return self._reading.all_declared

    @property
    def _values(self) -> LabelValues | None:
        return self._reading.values

    def _rows(self) -> Held:
        return _read(self._table, self._reading, self._unit)

    def _chosen(self, rows: int, *, declared: bool) -> tuple[object, Labels | None, Owners, Places]:
        """As of any persons; an engine keeps the rows itself, and no others are held here."""
        if not isinstance(self._source, Distributed):
            return super()._chosen(rows, declared=declared)
        keeps = Keeps(self._reading, self._unit, self._domain, rows, declared)
        names = [self._unit, *self._reading.names]
        parts = list(self._source.kept_of_persons(names, keeps))
        table = as_table(self._source, names, parts)
        x, y, held = _read(table, self._reading, self._unit)
        # Each person's rows came together and in their order.
        return x, y, held, np.argsort(held.places, kind="stable")
