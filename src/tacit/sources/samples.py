"""One door for everything that a user may call data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np

from tacit.core import BadInput, Sample, Source
from tacit.core.tally import Streamed
from tacit.domains.categories import Categories
from tacit.domains.columns import as_array
from tacit.domains.schema import Schema
from tacit.sources.files import FileSample, TableSample
from tacit.sources.opening import KINDS
from tacit.sources.opening import read as open_file
from tacit.sources.types import check_label, check_numbers, check_schema, column_type, frame_types

Names = str | Sequence[str] | None
"""A column, several, or whatever leaves no choice."""


def as_sample(
    data: Any,
    *,
    domain: Any,
    label: Names = None,
    column: Names = None,
    positive: object = 1,
) -> Sample | Streamed:
    """Turn ``(X, y)``, a frame, a path or a ready sample into a sample.

    Only public facts are looked at here: shapes, names and types. ``label`` and
    ``column`` name columns of a frame or file: several labels for several tasks, several
    columns for a domain of that many. What leaves no choice may be left out.
    """
    if isinstance(data, (Sample, Streamed)):
        return data
    if isinstance(domain, Schema):
        return _table_sample(data, schema=domain, label=label, positive=positive)
    width = domain.width
    if isinstance(data, (str, PathLike, Source)):
        source = data if isinstance(data, Source) else open_file(data)
        features, labels = _names(list(source.types), column=column, label=label, width=width)
        return FileSample(
            source,
            columns=features,
            labels=labels,
            positive=positive,
            exact=_needs_every_digit(domain),
        )
    names = _frame_columns(data)
    if names is not None:
        features, labels = _names(names, column=column, label=label, width=width)
        _check_types(frame_types(data), features, labels, domain=domain, positive=positive)
        return Sample(_frame_table(data, features), _frame_table(data, labels), positive)
    if isinstance(data, tuple) and len(data) == 2:
        types = {"X": column_type(data[0]), "y": column_type(data[1])}
        _check_types(types, ("X",), ("y",), domain=domain, positive=positive)
        x, y = (_checked(part) for part in data)
        return Sample(x, y, positive)
    raise BadInput(f"data must be (X, y), a frame, a source or the path of a file ({KINDS})")


def _table_sample(
    data: Any, *, schema: Schema, label: Names, positive: object
) -> Sample | Streamed:
    """Records over the columns of a schema, which are found by their names."""
    if isinstance(data, (str, PathLike, Source)):
        source = data if isinstance(data, Source) else open_file(data)
        (name,) = _labels(list(source.types), label)
        return TableSample(source, schema=schema, label=name, positive=positive)
    names = _frame_columns(data)
    if names is not None:
        labels = _labels(names, label)
        _check_frame(schema, data, names)
        return Sample(data, _frame_table(data, labels), positive)
    if isinstance(data, tuple) and len(data) == 2:
        x, names = data[0], _frame_columns(data[0])
        if names is not None:
            _check_frame(schema, x, names)
        return Sample(x if names is not None else _checked(x), _checked(data[1]), positive)
    raise BadInput(f"data must be (X, y), a frame, a source or the path of a file ({KINDS})")


def _check_frame(schema: Schema, frame: Any, names: list[str]) -> None:
    absent = [name for name in schema.names if name not in names]
    if absent:
        raise BadInput(f"data has no column called {', '.join(absent)}, which the schema declares")
    check_schema(schema, frame_types(frame), name="data")


def as_unlabelled(data: Any, *, domain: Any, column: str | None = None) -> Sample | Streamed:
    """As ``as_sample``, for records without labels: an array, a frame, or a path."""
    if isinstance(data, (Sample, Streamed)):
        return data
    if isinstance(data, (str, PathLike, Source)):
        source = data if isinstance(data, Source) else open_file(data)
        name = _only(list(source.types), column)
        return FileSample(source, columns=(name,), exact=_needs_every_digit(domain))
    names = _frame_columns(data)
    if names is not None:
        name = _only(names, column)
        _check_types(frame_types(data), (name,), (), domain=domain, positive=None)
        return Sample(_checked(_frame_column(data, name)), None)
    _check_types({"data": column_type(data)}, ("data",), (), domain=domain, positive=None)
    return Sample(_checked(data), None)


def _check_types(
    types: Mapping[str, object],
    columns: Sequence[str],
    labels: Sequence[str],
    *,
    domain: Any,
    positive: object,
) -> None:
    """Refuse public types that cannot hold what the domain and the label declare."""
    if not isinstance(domain, Categories):
        numbers = {name: types.get(name) for name in columns}
        check_numbers(numbers, exact=_needs_every_digit(domain), name="data")
    for name in labels:
        check_label(types.get(name), positive, column=name, name="data")


def _only(known: list[str], column: str | None) -> str:
    if column is None:
        if len(known) != 1:
            raise BadInput(f"say which column to use (column=...); there are {', '.join(known)}")
        return known[0]
    if column not in known:
        raise BadInput(f"there is no column {column!r}; there are {', '.join(known)}")
    return column


def _needs_every_digit(domain: Any) -> bool:
    return not getattr(domain, "fits_a_word", True) or (domain.size or 0) > 1 << 53


def _frame_columns(data: Any) -> list[str] | None:
    names = getattr(data, "column_names", None)
    if names is None:
        names = getattr(data, "columns", None)
    return None if names is None or callable(names) else [str(name) for name in names]


def _frame_column(data: Any, name: str) -> Any:
    return data.column(name) if hasattr(data, "column_names") else data[name]


def _frame_table(data: Any, names: tuple[str, ...]) -> Any:
    """One column as it is, or several side by side, each entry by itself."""
    read = [_checked(_frame_column(data, name)) for name in names]
    if len(read) == 1:
        return read[0]
    same = len({part.dtype for part in read}) == 1
    return np.stack([part if same else part.astype(object) for part in read], axis=1)


def _names(
    known: list[str], *, column: Names, label: Names, width: int
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The feature and the label columns, guessed only where one answer is possible."""
    listed = ", ".join(known)
    labels = _labels(known, label)
    features = _several(column, [name for name in known if name not in labels], width, listed)
    for name in (*features, *labels):
        if name not in known:
            raise BadInput(f"there is no column {name!r}; there are {listed}")
    return features, labels


def _labels(known: list[str], label: Names) -> tuple[str, ...]:
    if label is None and "label" in known:
        label = "label"
    if label is None:
        raise BadInput(f"say which column is the label (label=...); there are {', '.join(known)}")
    labels = (label,) if isinstance(label, str) else tuple(label)
    for name in labels:
        if name not in known:
            raise BadInput(f"there is no column {name!r}; there are {', '.join(known)}")
    return labels


def _several(column: Names, rest: list[str], width: int, listed: str) -> tuple[str, ...]:
    chosen = (column,) if isinstance(column, str) else tuple(rest if column is None else column)
    if len(chosen) != width and not (column is not None and len(chosen) == 1):
        which = "which column" if width == 1 else f"which {width} columns"
        raise BadInput(f"say {which} to learn from (column=...); there are {listed}")
    return chosen


def _checked(values: Any) -> Any:
    """An array of one or two dimensions; the message tells the shape's kind, no value."""
    array = as_array(values)
    if array.ndim not in (1, 2):
        raise BadInput("records must form a 1-D or 2-D array")
    if array.ndim == 2 and array.shape[1] == 0:
        raise BadInput("records need at least one column")
    return array
