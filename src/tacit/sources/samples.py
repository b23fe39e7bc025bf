"""One door for everything that a user may call data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import Any, Protocol, runtime_checkable

import numpy as np

from tacit.core import BadInput, Domain, Sample, Source
from tacit.core.label_values import LabelValues
from tacit.core.tally import Streamed
from tacit.domains.categories import Categories
from tacit.domains.columns import as_array
from tacit.domains.labels import check_values
from tacit.domains.marked import MarkedSample, marked
from tacit.domains.schema import Schema, column_names
from tacit.exact.arrays import Values
from tacit.sources.batch_reading import Reading
from tacit.sources.files import StreamedRecords, number_reading, read_table, table_reading
from tacit.sources.frames import FrameTable
from tacit.sources.ignored import DeclaredSample
from tacit.sources.opening import KINDS
from tacit.sources.opening import read as open_file
from tacit.sources.persons import (
    ArrayPersons,
    DeclaredPersons,
    PersonSample,
    SourcePersons,
)
from tacit.sources.types import (
    check_categories,
    check_label,
    check_numbers,
    check_schema,
    column_type,
    frame_types,
)
from tacit.sources.words import there_are

Names = str | Sequence[str] | None
"""A column, several, or whatever leaves no choice."""
Columns = tuple[tuple[str, ...], tuple[str, ...]]
"""The feature and the label columns of a source."""


def as_sample(
    data: object,
    *,
    domain: Domain,
    label: Names = None,
    column: Names = None,
    columns: Columns | None = None,
    positive: object = 1,
    negative: object = None,
    unit: str | None = None,
    groups: object = None,
    ignore: bool = False,
    values: LabelValues | None = None,
) -> Sample | Streamed | PersonSample:
    """Turn ``(X, y)``, a frame, a path or a ready sample into a sample.

    Only public facts are looked at here: shapes, names and types. ``label`` and
    ``column`` name columns of a frame or file: several labels for several tasks, several
    columns for a domain of that many. What leaves no choice may be left out; ``columns`` are
    those of a source where ``columns_of`` has told them already.
    ``unit`` names the column of ids; beside arrays, ``groups`` holds them. With ``ignore``
    records whose label is neither ``positive`` nor ``negative`` are left out. ``values`` are the
    label values of a table where there are more than two.
    """
    if values is not None and not isinstance(domain, Schema):
        raise BadInput("several label values are for tables: a class over the columns of a schema")
    told = (positive,) if negative is None else (negative, positive)
    check_values(told if values is None else values.declared, name="positive and negative")
    sample = _every(
        data,
        domain=domain,
        label=label,
        column=column,
        columns=columns,
        positive=positive,
        negative=negative,
        unit=unit,
        groups=groups,
        values=values,
    )
    return _declared(sample) if ignore else sample


def _declared(sample: Sample | Streamed | PersonSample) -> Sample | Streamed | PersonSample:
    """The records whose label is one of the declared values."""
    if isinstance(sample, PersonSample):
        return DeclaredPersons(sample)
    if isinstance(sample, MarkedSample):
        return sample  # each label leaves out its own records
    if isinstance(sample, StreamedRecords):
        return sample.declared()
    if isinstance(sample, Sample):
        return marked(sample) or DeclaredSample(sample)
    raise BadInput("other='ignore' needs a file, a frame, arrays or a source of tacit.read")


def _every(
    data: Any,
    *,
    domain: Domain,
    label: Names,
    column: Names,
    columns: Columns | None,
    positive: object,
    negative: object,
    unit: str | None,
    groups: Any,
    values: LabelValues | None,
) -> Sample | Streamed | PersonSample:
    """All records of ``data``."""
    if isinstance(data, (Sample, Streamed, PersonSample)):
        return _in_groups(_given(data, domain), unit=unit, groups=groups, domain=domain)
    source = as_source(data)
    if source is not None:
        if groups is not None:
            raise BadInput("groups= is for arrays; of a frame or file, unit= names the column")
        features, labels = columns or columns_of(
            source, domain=domain, label=label, column=column, unit=unit
        )
        if isinstance(domain, Schema):
            name = _only_label(labels)
            told = {"positive": positive, "negative": negative}
            reading: Reading = table_reading(
                source, schema=domain, label=name, values=values, **told
            )
            if unit is None and isinstance(source, FrameTable):
                table = read_table(source, reading.names)
                y = as_array(table.column(name))
                return Sample(reading.features(table), y, positive, negative, values)
        else:
            both = (negative if len(labels) == 1 else None, positive)
            reading = _numbers(source, features, labels, domain=domain, values=both)
        return _sample(source, reading, unit=unit, domain=domain)
    if isinstance(data, tuple) and len(data) == 2:
        sample = _pair(data, domain=domain, positive=positive, negative=negative, values=values)
        return _in_groups(sample, unit=unit, groups=groups, domain=domain)
    raise BadInput(f"data must be (X, y), a frame, a source or the path of a file ({KINDS})")


@runtime_checkable
class _Lazy(Protocol):
    """A frame of polars that has not been computed."""

    def collect_schema(self) -> object: ...

    def collect(self) -> object: ...


def refuse_lazy(data: object, *, name: str) -> None:
    """Refuse a frame that has not been computed: its columns are not there yet."""
    if isinstance(data, _Lazy):
        raise BadInput(f"{name} is a lazy frame: call its collect() first")


def as_source(data: object) -> Source | None:
    """A path, a frame or a source as a source; ``None`` for anything else."""
    if isinstance(data, Source):
        return data
    if isinstance(data, (str, PathLike)):
        return open_file(data)
    if isinstance(data, (np.ndarray, list, tuple, Sample)):
        return None
    refuse_lazy(data, name="data")
    return None if column_names(data) is None else FrameTable(data)


def columns_of(
    source: Source, *, domain: Domain, label: Names, column: Names, unit: str | None
) -> Columns:
    """The feature and the label columns of a source; ``unit`` is neither."""
    known = [name for name in source.types if name != unit]
    if isinstance(domain, Schema):
        return domain.names, _labels(known, label, there_are(source, label, unit, domain.names))
    said = there_are(source, label, column, unit)
    return _names(known, column=column, label=label, domain=domain, said=said)


def _numbers(
    source: Source,
    features: tuple[str, ...],
    labels: tuple[str, ...],
    *,
    domain: Domain,
    values: tuple[object, object] = (None, None),
) -> Reading:
    negative, positive = values
    categories = isinstance(domain, Categories)
    if isinstance(domain, Categories):
        check_categories(source.types, domain.values, column=features[0], name=source.name)
    return number_reading(
        source,
        columns=features,
        labels=labels,
        positive=positive,
        negative=negative,
        exact=categories or _needs_every_digit(domain),
        any_type=categories,
    )


def number_columns(source: Source, *, column: Names, domain: Domain) -> Reading:
    """How the feature columns of a table without labels are read."""
    features = _several(column, list(source.types), domain, there_are(source, column))
    return _numbers(source, features, (), domain=domain)


def _sample(
    source: Source, reading: Reading, *, unit: str | None, domain: Domain
) -> Sample | Streamed | PersonSample:
    """The records of a source: in memory where they are, in batches where they are not."""
    if unit is not None:
        return SourcePersons(source, reading, unit=unit, domain=domain)
    if isinstance(source, FrameTable):
        table = read_table(source, reading.names)
        if reading.negative is not None:
            told = as_array(table.column(reading.labels[0]))
            return Sample(reading.features(table), told, reading.positive, reading.negative)
        return Sample(reading.features(table), reading.truth(table), positive=True)
    return StreamedRecords(source, reading)


def _in_groups(
    sample: Sample | Streamed | PersonSample, *, unit: str | None, groups: object, domain: Domain
) -> Sample | Streamed | PersonSample:
    """Arrays with their ids, where persons are protected."""
    if isinstance(sample, PersonSample) or (unit is None and groups is None):
        return sample
    if unit is None:
        raise BadInput("groups= needs Privacy(..., unit='person'): a name for who is protected")
    if groups is None or not isinstance(sample, Sample):
        raise BadInput(
            f"each {unit} is to be protected: pass groups=, one id per record, beside arrays"
        )
    return ArrayPersons(sample, ids=groups, domain=domain)


def _pair(
    data: tuple[object, object],
    *,
    domain: Domain,
    positive: object,
    negative: object,
    values: LabelValues | None,
) -> Sample:
    """Features and labels that were passed side by side."""
    y = checked(data[1])
    if isinstance(domain, Schema):
        names = column_names(data[0])
        for value in (positive,) if values is None else values.declared:
            check_label(column_type(data[1]), value, column="y", name="data")
        if names is not None:
            _check_frame(domain, data[0], names)
        rows = data[0] if names is not None else checked(data[0], domain)
        return Sample(rows, y, positive, negative, values)
    types = {"X": column_type(data[0]), "y": column_type(data[1])}
    _check_types(types, ("X",), ("y",), domain=domain, positive=positive)
    return Sample(checked(data[0], domain), y, positive, negative)


def _given(sample: Sample | Streamed | PersonSample, domain: Domain) -> Any:
    """A sample that its owner made, refused now where its records do not fit the domain."""
    if type(sample) is not Sample:
        return sample
    x, y = sample.x, None if sample.y is None else checked(sample.y)
    if type(x) is np.ndarray or not isinstance(domain, Schema) or column_names(x) is None:
        x = checked(x, domain)
    return sample if x is sample.x and y is sample.y else replace(sample, x=x, y=y)


def _check_frame(schema: Schema, frame: object, names: list[str]) -> None:
    absent = [name for name in schema.names if name not in names]
    if absent:
        raise BadInput(f"data has no column called {', '.join(absent)}, which the schema declares")
    check_schema(schema, frame_types(frame), name="data")


def as_unlabelled(
    data: object,
    *,
    domain: Domain,
    column: str | None = None,
    unit: str | None = None,
    groups: object = None,
) -> Sample | Streamed | PersonSample:
    """As ``as_sample``, for records without labels: an array, a frame, or a path."""
    if isinstance(data, (Sample, Streamed, PersonSample)):
        return _in_groups(_given(data, domain), unit=unit, groups=groups, domain=domain)
    source = as_source(data)
    if source is not None and isinstance(domain, Schema):
        return _sample(source, table_reading(source, schema=domain), unit=unit, domain=domain)
    if source is not None:
        known = [name for name in source.types if name != unit]
        name = _only(known, column, there_are(source, column, unit))
        reading = _numbers(source, (name,), (), domain=domain)
        return _sample(source, reading, unit=unit, domain=domain)
    if not isinstance(domain, Schema):
        _check_types({"data": column_type(data)}, ("data",), (), domain=domain, positive=None)
    sample = Sample(checked(data, domain), None)
    return _in_groups(sample, unit=unit, groups=groups, domain=domain)


def _check_types(
    types: Mapping[str, object],
    columns: Sequence[str],
    labels: Sequence[str],
    *,
    domain: Domain,
    positive: object,
) -> None:
    """Refuse public types that cannot hold what the domain and the label declare."""
    if not isinstance(domain, Categories):
        numbers = {name: types.get(name) for name in columns}
        check_numbers(numbers, exact=_needs_every_digit(domain), name="data")
    for name in labels:
        check_label(types.get(name), positive, column=name, name="data")


def _only(known: list[str], column: str | None, said: str) -> str:
    if column is None:
        if len(known) != 1:
            raise BadInput(f"say which column to use (column=...); {said}")
        return known[0]
    if column not in known:
        raise BadInput(f"there is no column {column!r}; {said}")
    return column


def _needs_every_digit(domain: Domain) -> bool:
    return (domain.size or 0) > 1 << 53


def _names(known: list[str], *, column: Names, label: Names, domain: Domain, said: str) -> Columns:
    """The feature and the label columns, guessed only where one answer is possible."""
    labels = _labels(known, label, said)
    features = _several(column, [name for name in known if name not in labels], domain, said)
    for name in (*features, *labels):
        if name not in known:
            raise BadInput(f"there is no column {name!r}; {said}")
    return features, labels


def _labels(known: list[str], label: Names, said: str) -> tuple[str, ...]:
    if label is None and "label" in known:
        label = "label"
    if label is None:
        raise BadInput(f"say which column is the label (label=...); {said}")
    labels = (label,) if isinstance(label, str) else tuple(label)
    for name in labels:
        if name not in known:
            raise BadInput(f"there is no column {name!r}; {said}")
    return labels


def _only_label(labels: tuple[str, ...]) -> str:
    if len(labels) != 1:
        raise BadInput("a table is learned with one label column here: name one (label=...)")
    return labels[0]


def _several(column: Names, rest: list[str], domain: Domain, said: str) -> tuple[str, ...]:
    chosen = (column,) if isinstance(column, str) else tuple(rest if column is None else column)
    width = domain.width
    if len(chosen) == width:
        return chosen
    if column is None or len(chosen) != 1:
        which = "which column" if width == 1 else f"which {width} columns"
        raise BadInput(f"say {which} to learn from (column=...); {said}")
    domain.coerce(np.zeros(0))  # some domains have a form of one column
    return chosen


def checked(values: object, domain: Domain | None = None) -> Values:
    """An array of one or two dimensions, with as many columns as ``domain`` has, or refused.

    The message tells the shape's kind, no value. Records are placed after the charge; some
    domains have a form of one column, so a part without records is placed here.
    """
    array = values if type(values) is np.ndarray else as_array(values)
    if array.ndim not in (1, 2):
        raise BadInput("records must form a 1-D or 2-D array")
    if array.ndim == 2 and array.shape[1] == 0:
        raise BadInput("records need at least one column")
    if isinstance(domain, Schema) and not np.iscomplexobj(array):
        if len(array) > 0 and (array.shape[1] if array.ndim == 2 else 1) != len(domain.fields):
            raise BadInput(
                f"the schema has {domain.width} columns, and these records do not; nothing was "
                "charged"
            )
    elif domain is not None:
        domain.coerce(array[:0])
    return array
