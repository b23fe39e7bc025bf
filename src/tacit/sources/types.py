"""Public types against what was declared: refused before the charge where they cannot fit.

A type is a public fact of a Parquet file, a frame or an array. A column of text that is
declared as a number would place every record in one cell; that is an error, not a rule.
Where a column has no type (CSV, Python objects) each cell is placed by itself. pandas chooses
some types by looking at the values: what such a type refuses is no more than it must be.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from enum import Enum
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from tacit.core import BadInput
from tacit.domains.dates import Date
from tacit.domains.fields import Category
from tacit.domains.schema import Schema
from tacit.domains.values import number

if TYPE_CHECKING:
    import pyarrow as pa


class Family(Enum):
    """What a type can hold, as far as a declaration asks."""

    NUMBER = "numbers"
    BOOLEAN = "truth values"
    TEXT = "text"
    TIME = "dates or times"
    NESTED = "lists, structures or bytes"


@dataclass(frozen=True, slots=True)
class Guessed:
    """A type of numbers or truth values that pandas chose: one record can make it another one."""

    kind: pa.DataType

    def __str__(self) -> str:
        return str(self.kind)

    @property
    def may_be_all_missing(self) -> bool:
        """Whether it is floats: so a column of texts is, too, once every one is missing."""
        import pyarrow as pa

        return bool(pa.types.is_floating(self.kind))


_FITS: Mapping[str, frozenset[Family]] = {
    "number": frozenset({Family.NUMBER, Family.BOOLEAN}),
    "integer": frozenset({Family.NUMBER, Family.BOOLEAN}),
    "boolean": frozenset({Family.NUMBER, Family.BOOLEAN, Family.TEXT}),
    "category": frozenset({Family.NUMBER, Family.BOOLEAN, Family.TEXT, Family.TIME}),
    "date": frozenset({Family.TIME, Family.TEXT}),
}
"""For each kind of a schema's columns the types whose values it can place."""


def family(kind: object) -> Family | None:
    """The family of an Arrow type; ``None`` for no type, or one that says nothing."""
    import pyarrow as pa

    kind = stored(kind)
    if not isinstance(kind, pa.DataType) or pa.types.is_null(kind):
        return None
    if pa.types.is_boolean(kind):
        return Family.BOOLEAN
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return Family.NUMBER
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or kind == pa.string_view():
        return Family.TEXT
    return Family.TIME if pa.types.is_temporal(kind) else Family.NESTED


def stored(kind: object) -> object:
    """The type of the values themselves, whoever chose it and however they are kept."""
    import pyarrow as pa

    if isinstance(kind, Guessed):
        return stored(kind.kind)
    if isinstance(kind, pa.BaseExtensionType):
        return stored(kind.storage_type)
    return stored(kind.value_type) if isinstance(kind, pa.DictionaryType) else kind


def _told(kind: object) -> Family | None:
    """``family``, but for a type that every column has whose values are all missing."""
    return None if isinstance(kind, Guessed) and kind.may_be_all_missing else family(kind)


def check_schema(schema: Schema, types: Mapping[str, object], *, name: str) -> None:
    """Refuse a declared column whose public type cannot hold what is declared."""
    for column, field in zip(schema.names, schema.fields, strict=True):
        held = _told(types.get(column))
        _check(column, held, _FITS.get(field.kind), field.kind, name=name)
        if isinstance(field, Category):
            check_categories(types, field.values, column=column, name=name)
        if held is Family.TIME and isinstance(field, Date):
            _check_days(stored(types.get(column)), column=column, name=name)
        if held is Family.TIME and isinstance(field, Date) and field.format is not None:
            # A loader that guesses would read the same text by its own form, or by ours.
            raise BadInput(
                f"{name}: column {column!r} holds dates, and is declared as text in the form "
                f"{field.format!r}: leave format out; nothing was charged"
            )


def _check_days(kind: Any, *, column: str, name: str) -> None:
    """Refuse a type of times of day or of durations, which are no dates."""
    import pyarrow as pa

    if not (pa.types.is_date(kind) or pa.types.is_timestamp(kind)):
        raise BadInput(
            f"{name}: column {column!r} is of type {kind}, and is declared as date; nothing was "
            "charged"
        )


def check_numbers(columns: Mapping[str, object], *, exact: bool, name: str) -> None:
    """Refuse a column whose public type holds no numbers; ``exact`` ones may be text."""
    fits = _FITS["number"] | ({Family.TEXT} if exact else frozenset())
    for column, kind in columns.items():
        _check(column, family(kind), fits, "number", name=name)


def _check(
    column: str, held: Family | None, fits: frozenset[Family] | None, declared: str, *, name: str
) -> None:
    if held is not None and fits is not None and held not in fits:
        raise BadInput(
            f"{name}: column {column!r} holds {held.value}, and is declared as {declared}; "
            "nothing was charged"
        )


def check_categories(
    types: Mapping[str, object], values: Iterable[object], *, column: str, name: str
) -> None:
    """Refuse declared values of which none can occur in a column of this type."""
    kind = types.get(column)
    if isinstance(kind, Guessed) or any(_may_occur(kind, value) for value in values):
        return
    raise BadInput(
        f"{name}: column {column!r} is of type {kind}, in which none of the declared values can "
        "occur; nothing was charged"
    )


def check_label(
    kind: object, positive: object, *, column: str, name: str, named: bool = True
) -> None:
    """Refuse a label value that cannot occur in a column of this type, and, where no label value
    was named, a column of measurements.
    """
    if not named:
        refuse_measurements(kind, column=column, name=name)
    if _told(kind) is None or _may_occur(kind, positive):
        return
    raise BadInput(
        f"{name}: the label column {column!r} is of type {kind}, in which the value "
        f"{positive!r} cannot occur; nothing was charged"
    )


def refuse_measurements(kind: object, *, column: str, name: str) -> None:
    """Refuse a label column of floats or decimals where nobody said which values are labels.

    What pandas chose is let through: one missing label makes floats of whole numbers there.
    """
    import pyarrow as pa

    plain = stored(kind)
    floats = isinstance(plain, pa.DataType) and pa.types.is_floating(plain)
    if isinstance(kind, Guessed) or not (floats or _is_decimal(plain)):
        return
    raise BadInput(
        f"{name}: the label column {column!r} is of type {plain}, {OUT_OF_SCOPE}; nothing was "
        "charged"
    )


OUT_OF_SCOPE = (
    "and no label values were named: regression is out of scope, a rule answers with one of the "
    "declared labels. Name them: classes=(0.0, 1.0), or negative= and positive=, on the command "
    "line --negative and --positive"
)
"""Why measurements are no labels, and what to do."""


def _is_decimal(kind: object) -> bool:
    import pyarrow as pa

    return isinstance(kind, pa.DataType) and bool(pa.types.is_decimal(kind))


def _may_occur(kind: object, value: object) -> bool:
    """Whether a column of this type can hold a value that counts as equal to ``value``."""
    import pyarrow as pa

    held, plain = family(kind), stored(kind)
    if held is None or held is Family.TEXT:
        return True
    found: float | None = value if type(value) is int else None
    if found is None and not isinstance(value, (date, np.datetime64)):
        found = number(value)
    if held is Family.TIME:
        if pa.types.is_duration(plain):
            return found is not None
        return found is None and _spells_time(value)
    if held is Family.NESTED or found is None:
        return False
    if held is Family.BOOLEAN:
        return found in (0, 1)
    if pa.types.is_floating(plain):
        return _in_float(plain, found)
    return _in_range(plain, found) if pa.types.is_integer(plain) else True


def _in_float(kind: Any, value: float) -> bool:
    """Whether floats of this width reach so far; infinity is one of them."""
    most = float(np.finfo(f"float{kind.bit_width}").max)
    return value in (math.inf, -math.inf) or -most <= value <= most


def _in_range(kind: Any, value: float) -> bool:
    import pyarrow as pa

    bits = kind.bit_width
    signed = pa.types.is_signed_integer(kind)
    low, high = (-1 << (bits - 1), 1 << (bits - 1)) if signed else (0, 1 << bits)
    return low <= value < high and value == int(value)


def _spells_time(value: object) -> bool:
    """Whether a value is a date or a time, or its text could be one."""
    if not isinstance(value, str):
        return isinstance(value, (date, time, np.datetime64))
    for form in (datetime, time):
        try:
            form.fromisoformat(value.strip())
        except ValueError:
            continue
        return True
    return False


@runtime_checkable
class _Frame(Protocol):
    """A frame of pandas or polars, as far as its types are asked for."""

    @property
    def columns(self) -> Iterable[object]: ...

    @property
    def dtypes(self) -> Iterable[object]: ...

    def head(self, n: int) -> object: ...


@runtime_checkable
class _Typed(Protocol):
    @property
    def dtype(self) -> object: ...


@runtime_checkable
class _OfCategories(Protocol):
    """The type of categories of pandas, as far as the type of its values is asked for."""

    @property
    def categories(self) -> object: ...


@runtime_checkable
class _Series(Protocol):
    """A column of pandas or polars, as far as its type is asked for."""

    def to_frame(self) -> _Frame: ...


def frame_types(frame: object) -> dict[str, object]:
    """The columns of a pandas, polars or Arrow frame and their Arrow types: no value is read.

    What Arrow has no type for, such as a column of Python objects, is left out or null.
    """
    import pyarrow as pa

    if isinstance(frame, (pa.Table, pa.RecordBatch)):
        return {str(field.name): field.type for field in frame.schema}
    if not isinstance(frame, _Frame):
        return {}
    try:
        table = pa.table(frame.head(0))
    except Exception:  # noqa: BLE001 - an engine's type that Arrow does not know
        return {}
    told = dict(zip(map(str, frame.columns), frame.dtypes, strict=True))
    return {
        str(field.name): Guessed(field.type) if _numpys(told.get(field.name)) else field.type
        for field in table.schema
    }


def _numpys(kind: object) -> bool:
    """Whether a column's type is one of numpy's for numbers, or of categories that are such."""
    if isinstance(kind, _OfCategories) and isinstance(kind.categories, _Typed):
        kind = kind.categories.dtype
    return isinstance(kind, np.dtype) and kind.kind in "iufb"


def column_type(values: object) -> object:
    """The Arrow type of an array or a column; ``None`` where there is none."""
    import pyarrow as pa

    if isinstance(values, (pa.Array, pa.ChunkedArray)):
        return values.type
    if isinstance(values, np.ndarray):
        try:
            return None if values.dtype == object else pa.from_numpy_dtype(values.dtype)
        except pa.ArrowException:  # numpy's own widths of floats and the like
            return None
    if isinstance(values, _Series):
        return next(iter(frame_types(values.to_frame()).values()), None)
    return None
