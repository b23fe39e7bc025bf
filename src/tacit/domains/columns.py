"""Arrays from whatever a user passes, each record by itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

import numpy as np

from tacit.core import BadInput
from tacit.exact.arrays import Values


def as_array(values: Any) -> Values:
    """``values`` as an array in which no record's entry depends on another record.

    numpy would give a list one common type: a single -1 or 0.5 among 64-bit integers rounds
    them all to floats, a single word turns every truth value into text. One record would
    then move all others, which no privacy proof allows for. A list therefore becomes an
    array of objects, placed one by one; the type of an array or a column is public.

    >>> as_array([2**63 + 1, -1]).tolist()
    [9223372036854775809, -1]
    """
    if isinstance(values, np.ma.MaskedArray):
        return np.asarray(np.ma.filled(values.astype(object), None))  # masked is missing
    if isinstance(values, np.ndarray):
        return np.asarray(values)  # a matrix's columns would not be columns
    if hasattr(values, "column_names"):  # an Arrow table
        return _side_by_side(values.columns, rows=values.num_rows)
    if hasattr(values, "to_numpy"):
        return _from_engine(values)
    return _from_list(values)


def _from_list(values: Any) -> Values:
    """A list of entries as a column, a list of rows as a table; any other list is no table.

    Whether it is one is a public fact, as it is of a file. numpy would keep [5] where one row
    is longer than the others, and 5 where none is.
    """
    if not isinstance(values, (list, tuple)):
        return _plain(values)
    rows = [is_row(value) for value in values] if _may_hold_rows(values) else []
    if not any(rows):
        return np.fromiter(values, dtype=object, count=len(values))
    width = len(values[rows.index(True)])
    if not all(rows) or any(len(row) != width for row in values):
        raise _no_table()
    cells = np.fromiter(chain.from_iterable(values), dtype=object, count=len(values) * width)
    return cells.reshape(len(values), width)


def _plain(values: object) -> Values:
    """What numpy makes of anything that is no list."""
    try:
        return np.array(values, dtype=object)
    except ValueError:
        raise _no_table() from None


def _no_table() -> BadInput:
    return BadInput("records must form a column, or rows of equal length; nothing was charged")


def _may_hold_rows(values: Iterable[object]) -> bool:
    """Whether an entry's type is that of a row: types are few, entries many."""
    return any(_of_rows(kind) for kind in set(map(type, values)))


def _of_rows(kind: type) -> bool:
    if issubclass(kind, (list, tuple)):
        return True
    return hasattr(kind, "__array__") and hasattr(kind, "__len__")


def is_row(value: object) -> bool:
    """Whether a value is a row of entries."""
    return _of_rows(type(value)) and not (isinstance(value, np.ndarray) and value.ndim == 0)


def holds_rows(values: Sequence[object]) -> bool:
    """Whether an entry of a column is a row of entries itself."""
    return _may_hold_rows(values) and any(map(is_row, values))


def _from_engine(values: Any) -> Values:
    """A frame or a column of pandas, polars or Arrow.

    Engines turn whole numbers into floats as soon as one entry is missing; the declared
    types, which are public, tell where floats are expected.
    """
    if hasattr(values, "columns"):
        types = list(values.dtypes)
        array = None if any(map(_nested, types)) else _as_numpy(values)
        exact = array is not None and array.dtype.kind in "iub" and len(set(types)) == 1
        if array is not None and (exact or all(_never_changes(kind) for kind in types)):
            return array
        return _side_by_side(_columns(values), rows=len(values))
    kind = getattr(values, "dtype", getattr(values, "type", None))
    if _nested(kind):
        return _each(values)
    # Arrow reads a missing entry of a dictionary column as the last of the values that occur.
    if "dictionary" not in str(kind).lower():
        # A bare Arrow array refuses to copy unless asked, and says how many entries are missing.
        bare = {"zero_copy_only": False} if hasattr(values, "buffers") else {}
        array = _as_numpy(values, **bare)
        if array is not None and (array.dtype.kind != "f" or _never_changes(kind)):
            return array
    entries = _listed(values)
    return np.fromiter(entries, dtype=object, count=len(entries))


def _listed(values: Any) -> list[Any]:
    return list(values.to_list() if hasattr(values, "to_list") else values.to_pylist())


def _each(values: object) -> Values:
    """A column of lists or structs: every entry stays with its record, whatever the others are.

    Engines make a table of it where all entries are known, and something else where one is not.
    """
    entries = _listed(values)
    out = np.empty(len(entries), dtype=object)
    for place, entry in enumerate(entries):
        out[place] = entry.tolist() if isinstance(entry, np.ndarray) else entry
    return out


def _as_numpy(values: Any, **options: Any) -> Values | None:
    """An engine's own array; ``None`` where numpy has no such type, as for 128-bit integers."""
    try:
        return np.asarray(values.to_numpy(**options))
    except Exception:  # noqa: BLE001 - engines differ, and the entries can still be listed
        return None


def _side_by_side(columns: Iterable[object], *, rows: int) -> Values:
    read = [as_array(column).astype(object) for column in columns]
    return np.stack(read, axis=1) if read else np.empty((rows, 0), dtype=object)


def _columns(frame: Any) -> list[Any]:
    if hasattr(frame, "get_columns"):
        return list(frame.get_columns())
    return [frame.iloc[:, place] for place in range(frame.shape[1])]


_FLOATS = re.compile(r"(half_?)?float(16|32|64)?|double")
_NESTED = re.compile(
    r"(struct|array|map|(dense|sparse)_union|(large_|fixed_size_)?list)\b|.*list_view"
)


def _never_changes(kind: object) -> bool:
    """Whether a column of this type becomes the same numpy type whatever it holds."""
    if isinstance(kind, np.dtype):
        return kind.kind in "iufb"
    return _FLOATS.fullmatch(str(kind).lower().removesuffix("[pyarrow]")) is not None


def _nested(kind: object) -> bool:
    """Whether entries of this type are made of several values: by the type's own name."""
    return not isinstance(kind, np.dtype) and _NESTED.match(str(kind).lower()) is not None
