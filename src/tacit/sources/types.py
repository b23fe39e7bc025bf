"""Public types against what was declared: refused before the charge where they cannot fit.

A type is a public fact of a Parquet file, a frame or an array. A column of text that is
declared as a number would place every record in one cell; that is an error, not a rule.
Where a column has no type (CSV, Python objects) each cell is placed by itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from tacit.core import BadInput
from tacit.domains.dates import Date
from tacit.domains.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa


class Family(Enum):
    """What a type can hold, as far as a declaration asks."""

    NUMBER = "numbers"
    BOOLEAN = "truth values"
    TEXT = "text"
    TIME = "dates or times"
    NESTED = "lists, structures or bytes"


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

    if not isinstance(kind, pa.DataType) or pa.types.is_null(kind):
        return None
    if isinstance(kind, pa.BaseExtensionType):
        return family(kind.storage_type)
    if pa.types.is_dictionary(kind):
        return family(kind.value_type)
    if pa.types.is_boolean(kind):
        return Family.BOOLEAN
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return Family.NUMBER
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or kind == pa.string_view():
        return Family.TEXT
    return Family.TIME if pa.types.is_temporal(kind) else Family.NESTED


def check_schema(schema: Schema, types: Mapping[str, object], *, name: str) -> None:
    """Refuse a declared column whose public type cannot hold what is declared."""
    for column, field in zip(schema.names, schema.fields, strict=True):
        held = family(types.get(column))
        _check(column, held, _FITS.get(field.kind), field.kind, name=name)
        if held is Family.TIME and isinstance(field, Date) and field.format is not None:
            # A loader that guesses would read the same text by its own form, or by ours.
            raise BadInput(
                f"{name}: column {column!r} holds dates, and is declared as text in the form "
                f"{field.format!r}: leave format out; nothing was charged"
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


def check_label(kind: object, positive: object, *, column: str, name: str) -> None:
    """Refuse a label value that cannot occur in a column of this type."""
    held = family(kind)
    if held is None or held is Family.TEXT or _possible(kind, held, positive):
        return
    raise BadInput(
        f"{name}: the label column {column!r} is of type {kind}, in which the value "
        f"{positive!r} cannot occur; nothing was charged"
    )


def _possible(kind: pa.DataType, held: Family, positive: object) -> bool:
    import pyarrow as pa

    number = _number(positive)
    if held is Family.BOOLEAN:
        return number in (0, 1) or str(positive).strip().lower() in ("true", "false")
    if held is not Family.NUMBER:
        return held is Family.TIME and number is None
    if number is None or not pa.types.is_integer(kind):
        return number is not None
    bits = kind.bit_width
    low, high = (-1 << (bits - 1), 1 << (bits - 1)) if _signed(kind) else (0, 1 << bits)
    return number.denominator == 1 and low <= number < high


def _signed(kind: pa.DataType) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_signed_integer(kind))


def _number(value: object) -> Fraction | None:
    """A label as a number, also where it is written as text."""
    try:
        return Fraction(value) if isinstance(value, (int, float, str)) else None
    except (ValueError, OverflowError, ZeroDivisionError):
        return None


@runtime_checkable
class _Frame(Protocol):
    """A frame of pandas or polars, as far as its types are asked for."""

    def head(self, n: int) -> object: ...


@runtime_checkable
class _Series(Protocol):
    """A column of pandas or polars, as far as its type is asked for."""

    def to_frame(self) -> _Frame: ...


def frame_types(frame: object) -> dict[str, object]:
    """The columns of a pandas, polars or Arrow frame and their Arrow types: no value is read.

    What Arrow has no type for, such as a column of Python objects, is left out or null.
    """
    import pyarrow as pa

    table: Any = frame
    if not isinstance(frame, (pa.Table, pa.RecordBatch)):
        if not isinstance(frame, _Frame):
            return {}
        try:
            table = pa.table(frame.head(0))
        except Exception:  # noqa: BLE001 - an engine's type that Arrow does not know
            return {}
    return {str(field.name): field.type for field in table.schema}


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
