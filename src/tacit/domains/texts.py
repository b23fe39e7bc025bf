"""Columns of text, placed quickly: where a cell goes depends on its text alone.

So every different text is placed once, and plain decimal numbers are read by Arrow. Both give
what placing cell by cell gives; how many texts differ shows in the time alone.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from tacit.domains.cells import Column
from tacit.domains.fields import Integer, Number
from tacit.exact.arrays import Values

if TYPE_CHECKING:
    import pyarrow as pa

Place = Callable[[Values], Values]

_PLAIN = "^-?[0-9]{1,200}([.][0-9]{1,200})?$"
"""Decimal numbers that Arrow and Python read alike: correctly rounded, and below infinity."""

_LOADED: list[object] = []
"""Holds something once ``prepare`` has compiled the quick reading."""


def is_text(column: object) -> bool:
    """Whether this is an Arrow column of text."""
    import pyarrow as pa

    return isinstance(column, (pa.Array, pa.ChunkedArray)) and bool(
        pa.types.is_string(column.type) or pa.types.is_large_string(column.type)
    )


def held_text(column: object) -> object:
    """The Arrow column behind a pandas column whose type is text kept by Arrow; else the column.

    The type is the column's own. Text that Python keeps may be no Unicode, so it stays as it is.
    """
    pandas: Any = sys.modules.get("pandas")
    # Another thread may be loading it at this moment: there is no column of it yet, then.
    series = None if pandas is None else vars(pandas).get("Series")
    if series is None or not isinstance(column, series):
        return column
    kind = column.dtype
    kept = isinstance(kind, pandas.StringDtype) and kind.storage.startswith("pyarrow")
    return column.array.__arrow_array__() if kept else column


def place_texts(column: pa.Array | pa.ChunkedArray, place: Place) -> Values:
    """``place`` of every cell, where ``place`` treats each entry by itself."""
    import pyarrow as pa

    whole = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if isinstance(whole, pa.ChunkedArray):  # too long for one array
        return np.concatenate([place_texts(chunk, place) for chunk in whole.chunks])
    encoded = whole.dictionary_encode()
    different = np.empty(len(encoded.dictionary) + 1, dtype=object)  # the last one is missing
    different[:-1] = encoded.dictionary.to_pylist()
    codes = encoded.indices.fill_null(len(encoded.dictionary)).to_numpy(zero_copy_only=False)
    placed: Values = place(different)[codes]
    return placed


def prepare() -> None:
    """Compile what reads numbers quickly, before anything is charged; else they are read slowly."""
    from tacit.domains import kernels

    kernels.warm_texts()
    _LOADED[:] = [kernels.read_plain]


def place_numbers(column: pa.Array | pa.ChunkedArray, place: Place) -> Values:
    """As ``place_texts``, for a ``place`` that gives a text what it gives its number."""
    import pyarrow as pa

    if not _LOADED or not isinstance(column, pa.StringArray) or not len(column):
        return _place_matched(column, place)
    numbers, plain = _read_plain(column)
    if plain.all():
        return place(numbers)
    rest = _place_matched(column.filter(pa.array(~plain)), place)
    quick = place(numbers[plain])
    out = np.empty(len(column), dtype=rest.dtype)
    out[plain], out[~plain] = quick, rest
    return out


def _read_plain(column: pa.StringArray) -> tuple[Values, Values]:
    """The numbers of the cells that are short plain decimals, and which these are."""
    from tacit.domains.kernels import POWERS, read_plain
    from tacit.exact.compiled import steady

    _, offsets, data = column.buffers()
    ends = np.frombuffer(offsets, dtype=np.int32)[column.offset : column.offset + len(column) + 1]
    letters = np.frombuffer(b"" if data is None else data, dtype=np.uint8)
    numbers, plain = read_plain(steady(letters), steady(ends), steady(POWERS))
    if column.null_count:
        plain &= np.asarray(column.is_valid())
    return numbers, plain


def _place_matched(column: pa.Array | pa.ChunkedArray, place: Place) -> Values:
    """As ``place_numbers``; plain decimals are found by their pattern."""
    import pyarrow as pa
    import pyarrow.compute as pc

    plain = pc.fill_null(pc.match_substring_regex(column, _PLAIN), fill_value=False)
    numbers = pc.cast(column.filter(plain), pa.float64())
    quick = place(np.asarray(numbers.to_numpy()))
    if len(quick) == len(column):
        return quick
    rest = place_texts(column.filter(pc.invert(plain)), place)
    mask = np.asarray(plain, dtype=bool)
    out = np.empty(len(column), dtype=rest.dtype)
    out[mask], out[~mask] = quick, rest
    return out


def place_column(field: Column, column: Any) -> Values:
    """The cells of a column of a schema; of text, the quick way."""
    if not is_text(column):
        return field.place(column)
    if isinstance(field, (Number, Integer)):
        return place_numbers(column, field.place)
    return place_texts(column, field.place)
