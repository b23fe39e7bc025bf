"""A public schema: which columns a table has, and which values each can take.

Nothing here is ever read off the data. A schema comes from Python, from a dict or a TOML
file, or from the *declared* types of a frame; a table's rows are placed into its cells.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as member
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.core import BadInput
from tacit.core.printable import one_line
from tacit.core.records import Stored
from tacit.core.said import listed
from tacit.domains.columns import as_array
from tacit.domains.dates import Date
from tacit.domains.fields import Boolean, Category, Integer, Number
from tacit.domains.placing import MANY_ROWS, PlacedTable
from tacit.domains.schema_text import UNDECLARED, read_toml, said_public, write_toml
from tacit.domains.texts import held_text, is_text, place_column
from tacit.exact.arrays import Values

Field = Number | Integer | Category | Boolean | Date
KINDS: dict[str, type[Field]] = {
    "number": Number,
    "integer": Integer,
    "category": Category,
    "boolean": Boolean,
    "date": Date,
}


@dataclass(frozen=True)
class Schema:
    """The public columns of a table, in order.

    >>> Schema.of({"age": (0, 120), "job": ("nurse", "cook"), "smoker": bool})
    Schema(age: number, job: category, smoker: boolean)
    """

    names: tuple[str, ...]
    fields: tuple[Field, ...]
    public: tuple[str, ...] = member(default=(), compare=False)
    """What is public only because whoever made the schema said so; certificates list it."""

    def __post_init__(self) -> None:
        if not self.fields or len(self.fields) != len(self.names):
            raise BadInput("a schema needs at least one column, and a name for each")
        if len(set(self.names)) != len(self.names):
            raise BadInput("the columns of a schema must have different names")

    def __repr__(self) -> str:
        inside = ", ".join(
            f"{name}: {field.kind}" for name, field in zip(self.names, self.fields, strict=True)
        )
        return f"Schema({inside})"

    @property
    def told(self) -> tuple[str, ...]:
        """The names as words print them: on one line each."""
        return tuple(one_line(name) for name in self.names)

    @classmethod
    def of(cls, given: Any, *, bins: int = 16) -> Schema:
        """Read a schema from what a user may pass as ``domain=``.

        A ``Schema``; a mapping from names to columns; a list with one column per feature;
        or the path of a TOML file. A column is ``(low, high)``, ``range(low, high + 1)``,
        a pair of dates, a tuple of categories, ``bool``, a type with declared categories, a
        mapping such as ``{"kind": "number", "low": 0, "high": 120}``, or a ready field. ``bins``
        is the grid of every column of numbers or dates that declares none.
        """
        if given is None:
            raise BadInput(
                "domain must be declared: it is public and never read off the data. Give one "
                "(low, high) pair or tuple of categories per column, or a tacit.domains.Schema"
            )
        public: tuple[str, ...] = ()
        if isinstance(given, Schema):
            names, fields, public = given.names, given.fields, given.public
        elif isinstance(given, (str, Path)):
            return cls.of(read_toml(Path(given)), bins=bins)
        elif isinstance(given, Mapping):
            columns = given.get("columns", given)
            if not isinstance(columns, Mapping):
                raise BadInput("a schema's columns must be a table of names and declarations")
            names = tuple(str(name) for name in columns)
            fields = tuple(_field(columns[name], name=str(name)) for name in columns)
            public = said_public(given.get("public", ())) if "columns" in given else ()
        elif isinstance(given, Sequence):
            names = tuple(f"x{place}" for place in range(len(given)))
            fields = tuple(_field(one, name=f"x{place}") for place, one in enumerate(given))
        else:
            raise BadInput("domain must be a Schema, a list with one entry per column, or a dict")
        return cls(names, tuple(field.with_bins(bins) for field in fields), public)

    @classmethod
    def from_types(
        cls, frame: object, *, bins: int = 16, public_columns: str | Sequence[str] = ()
    ) -> Schema:
        """From the types of a frame's columns; those that do not say all are refused.

        The categories of a frame's type are usually read off its records, so that one record
        would be published by its mere value. Only those of ``public_columns`` are taken (names,
        or ``"all"``): say so where they were declared from public knowledge. Certificates
        list these columns.
        """
        types = frame_types(frame)
        read_off = [name for name, kind in types.items() if _lists_categories(kind)]
        named = read_off if public_columns == "all" else list(public_columns)
        for name in read_off:
            if name not in named:
                raise BadInput(
                    f"column {name!r}: the categories of a frame's type are usually read off "
                    "its records, and a schema publishes them. Declare them, domain={"
                    f"{name!r}: (...)}}, or pass public_columns=[{name!r}] if they are public"
                )
        taken = f"the categories of {listed(read_off)}, taken from the types of a frame"
        return replace(cls.of(types, bins=bins), public=(taken,) if read_off else ())

    @classmethod
    def tiny(cls) -> Schema:
        """Two columns of four cells, for tests and demonstrations."""
        return cls.of({"a": (0, 4), "b": (0, 4)}, bins=4)

    @property
    def width(self) -> int:
        """How many columns there are."""
        return len(self.fields)

    @cached_property
    def cells(self) -> tuple[int, ...]:
        """How many cells each column has."""
        return tuple(field.cells for field in self.fields)

    @property
    def size(self) -> int:
        """How many different placed records there are."""
        size = 1
        for cells in self.cells:
            size *= cells
        return size

    fits_a_word = True

    def named(self, names: Sequence[str]) -> Schema:
        """The same columns under other names."""
        return Schema(tuple(str(name) for name in names), self.fields, self.public)

    def declared_complete(self) -> Schema:
        """The same columns, declared to hold no missing or undeclared value: a public fact."""
        fields = (replace(field, missing="joint", complete=True) for field in self.fields)
        return Schema(self.names, tuple(fields), self.public)

    def describe(self) -> str:
        """The schema in a few words."""
        columns = "one public column" if self.width == 1 else f"{self.width} public columns"
        return f"a table of {columns} with {sum(self.cells)} cells in all"

    def coerce(self, x: Any, *, only: Sequence[int] | None = None) -> npt.NDArray[np.int32]:
        """The cells of every row: one row per record, one column per field.

        Of a frame, the columns ``only`` are enough: all others are then left at cell 0.
        """
        if isinstance(x, PlacedTable):
            return x.placed_by(self)
        held = column_names(x)
        if only is not None and held is not None and len(set(held)) == len(held):
            wanted = [self.names[place] for place in only]
            if set(wanted) <= set(held):
                few = np.zeros((self.width, row_count(x)), dtype=np.int32)
                for place, values in zip(only, split_columns(x, wanted), strict=True):
                    few[place] = place_column(self.fields[place], values)
                return few.T
        x = as_array(x) if isinstance(x, np.ndarray) else x
        if _is_long_table(x) and x.shape[1] == self.width:
            ordered = [one for one in self.fields if isinstance(one, (Number, Integer))]
            if len(ordered) == self.width:
                return _place_table(x, ordered)
        columns = split_columns(x, self.names)
        if len(columns) != self.width:
            raise BadInput(f"the schema has {self.width} columns, and these records do not")
        out = np.empty((self.width, len(columns[0])), dtype=np.int32)
        for place, (field, column) in enumerate(zip(self.fields, columns, strict=True)):
            out[place] = place_column(field, column)
        return out.T

    def to_dict(self) -> dict[str, object]:
        """A JSON-ready form that ``of`` reads back."""
        said = {"public": list(self.public)} if self.public else {}
        return {"columns": self._columns(), **said}

    def _columns(self) -> dict[str, dict[str, object]]:
        pairs = zip(self.names, self.fields, strict=True)
        return {name: field.to_dict() for name, field in pairs}

    def to_toml(self) -> str:
        """A TOML file that ``of`` reads back."""
        return write_toml(self._columns(), public=self.public)


def row_count(frame: Any) -> int:
    """How many rows a frame has."""
    return int(frame.num_rows) if hasattr(frame, "num_rows") else len(frame)


def _is_long_table(x: object) -> bool:
    return isinstance(x, np.ndarray) and x.ndim == 2 and x.dtype == float and len(x) >= MANY_ROWS


def _place_table(
    table: npt.NDArray[np.float64], fields: Sequence[Number | Integer]
) -> npt.NDArray[np.int32]:
    """``place`` of every column in one pass over a long table of floats."""
    from tacit.domains.kernels import place_table

    cuts = [field.borders for field in fields]
    ends = np.cumsum([0, *map(len, cuts)]).astype(np.int64)
    extra = np.array([field.extra for field in fields], dtype=np.int64)
    placed: npt.NDArray[np.int32] = place_table(table, np.concatenate(cuts), ends, extra)
    return placed.T


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float, np.number)) and not isinstance(value, bool)


def _field(given: object, *, name: str) -> Field:
    """One column from its declaration."""
    try:
        return _read_field(given)
    except BadInput as wrong:
        raise BadInput(f"column {name!r}: {wrong}") from None


def _lists_categories(kind: object) -> bool:
    categories = getattr(kind, "categories", None)
    return categories is not None and not callable(categories)


def _read_field(given: Any) -> Field:
    if isinstance(given, (Number, Integer, Category, Boolean, Date)):
        return given
    if isinstance(given, Mapping):
        return _from_mapping(given)
    if isinstance(given, range):
        if given.step != 1 or not given:
            raise BadInput("a range must go up by 1 and hold at least one integer")
        return Integer(low=given[0], high=given[-1])
    if given in (bool, "bool", "boolean"):
        return Boolean()
    if _lists_categories(given):
        return Category(values=tuple(_plain(value) for value in given.categories))
    if isinstance(given, (tuple, list, set, frozenset)):
        values = tuple(sorted(given, key=str) if isinstance(given, (set, frozenset)) else given)
        if len(values) == 2 and all(_is_number(value) for value in values):
            return Number(low=values[0], high=values[1])
        if len(values) == 2 and all(isinstance(value, date) for value in values):
            return Date(low=values[0], high=values[1])
        if len(values) == 2 and all(map(_is_date_text, values)):
            raise BadInput(
                'two dates as text: declare {"kind": "date", "low": ..., "high": ...}, or a '
                "category with these two values"
            )
        return Category(values=tuple(_plain(value) for value in values))
    raise BadInput(
        "declare (low, high), range(low, high + 1), a tuple of categories, bool, or a table "
        "with a kind: number, integer, date, category or boolean"
    )


def _is_date_text(value: object) -> bool:
    try:
        return isinstance(value, str) and date.fromisoformat(value) is not None
    except ValueError:
        return False


def _plain(value: object) -> Hashable:
    plain = value.item() if isinstance(value, np.generic) else value
    if not isinstance(plain, Hashable):
        raise BadInput("categories must be single values")
    return plain


def _from_mapping(record: Stored) -> Field:
    kind = KINDS.get(str(record.get("kind")))
    if kind is None:
        raise BadInput(f"declare its kind: one of {', '.join(KINDS)}")
    fields = {key: value for key, value in record.items() if key != "kind"}
    open_ones = [key for key, value in fields.items() if value in (UNDECLARED, [UNDECLARED])]
    if open_ones:
        raise BadInput(
            f"declare {' and '.join(open_ones)} from public knowledge, not from the data"
        )
    for key in ("values", "edges", "cuts", "names"):
        if key in fields:
            if isinstance(fields[key], (str, Mapping)) or not isinstance(fields[key], Iterable):
                raise BadInput(f"{key} must be a list")
            fields[key] = tuple(_plain(value) for value in fields[key])
    spelled = _SPELLED | ({"cells": "unit"} if kind is Date else {})
    for written, parameter in spelled.items():
        if written in fields:
            fields[parameter] = fields.pop(written)
    try:
        field: Field = kind(**fields)
    except TypeError:
        raise BadInput(
            f"a {kind.kind} column takes {_TAKES[kind.kind]}missing and complete"
        ) from None
    return field


_SPELLED = {"cuts": "edges", "ordered": "in_order"}
"""What a declaration calls a field's parameter."""

_TAKES = {
    "number": "low and high, and optionally bins, cuts, names, decimals, ",
    "integer": "low and high, and optionally bins, cuts, names, ",
    "category": "values, and optionally ordered, ",
    "boolean": "optionally ",
    "date": "low and high, and optionally cells, bins, cuts, names, format, ",
}


def frame_types(frame: Any) -> dict[str, Any]:
    """Column names and types of a frame: public facts, no values."""
    schema = getattr(frame, "schema", None)
    if hasattr(frame, "column_names"):  # Arrow
        return {str(one.name): one.type for one in frame.schema}
    if schema is not None and hasattr(schema, "items"):  # polars
        return {str(name): kind for name, kind in schema.items()}
    if hasattr(frame, "dtypes") and hasattr(frame, "columns"):
        return {str(name): frame[name].dtype for name in frame.columns}
    raise BadInput("types can be read off a pandas, polars or Arrow frame only")


def split_columns(x: object, names: Sequence[str]) -> list[Any]:
    """The columns of whatever a user calls a table: by name if it has these names.

    Arrays, but for Arrow columns of text, which stay what they are.
    """
    held = column_names(x)
    if held is not None:
        wanted = list(names) if set(names) <= set(held) else held
        if len(set(held)) == len(held):
            return [_one(frame_column(x, name)) for name in wanted]
    table = as_array(x)
    if np.iscomplexobj(table):
        raise BadInput("Complex data not supported")
    if table.ndim == 1 and len(names) == 1:
        return [table]
    if table.ndim == 1 and len(table) == 0:
        return [table] * len(names)
    if table.ndim != 2:
        raise BadInput("records must form a table: one row per record, one column per feature")
    return [table[:, place] for place in range(table.shape[1])]


def frame_column(frame: Any, name: str) -> Any:
    """The column of a frame whose printed name is ``name``."""
    get = frame.column if hasattr(frame, "column_names") else frame.__getitem__
    return get(_key(frame, name))


def _key(frame: Any, name: str) -> Any:
    """The frame's own label for a column whose printed name is ``name``."""
    labels = frame.column_names if hasattr(frame, "column_names") else frame.columns
    return next(label for label in labels if str(label) == name)


def _one(column: Any) -> Values:
    column = held_text(column)
    if is_text(column):
        return column  # type: ignore[no-any-return]
    array = as_array(column)
    if array.ndim == 1:
        return array
    # Lists and structs: each entry stays with its record, and is placed like any odd value.
    entries = np.empty(len(array), dtype=object)
    for place, entry in enumerate(array.tolist()):
        entries[place] = entry
    return entries


def column_names(x: object) -> list[str] | None:
    """The column names of a frame, or ``None`` for anything else."""
    names = getattr(x, "column_names", None)
    if names is None:
        names = getattr(x, "columns", None)
    return None if names is None or callable(names) else [str(name) for name in names]
