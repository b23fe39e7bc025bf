"""Whether two inputs are kept in the same place: no record is looked at.

Two paths, links or opened sources of one file are different objects with the same records, and
so are two views of one array. Copies cannot be told apart without reading them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np

from tacit.core import PublicRecords, Sample
from tacit.core.source import Kept
from tacit.domains.columns import as_array
from tacit.domains.schema import column_names, frame_column
from tacit.exact.arrays import Values


@runtime_checkable
class _Column(Protocol):
    """A column or a frame of pandas or polars."""

    def to_numpy(self) -> Values: ...


def share_records(one: object, other: object) -> bool:
    """Whether a part of one input is kept in the same file, table, frame or memory as one of
    the other's.
    """
    left, right = list(places(one)), list(places(other))
    if any(_same_place(*pair) for pair in product(left, right)):
        return True
    arrays = product(_all_arrays(left), _all_arrays(right))
    return any(np.shares_memory(*pair) for pair in arrays)


def places(data: object) -> Iterator[object]:
    """What the records are kept in: paths of files, names of tables elsewhere, frames, arrays."""
    if isinstance(data, str):
        yield Path(data)
    elif isinstance(data, tuple):
        for part in data:
            yield from places(part)
    elif isinstance(data, PublicRecords):
        yield from data.read_from
        yield data.values
    elif isinstance(data, Kept):
        for part in data.kept_in:
            # Text is a path only where a user wrote it: below, it names a table elsewhere.
            yield from ((part,) if isinstance(part, str) else places(part))
    elif isinstance(data, Sample):
        yield from (data.x, data.y)
    elif data is not None:
        yield data


def outside(data: object) -> tuple[object, ...]:
    """The places that are not in this process's memory: whole paths, and names of tables."""
    return tuple(
        Path(one).absolute() if isinstance(one, os.PathLike) else one
        for one in places(data)
        if isinstance(one, (str, os.PathLike))
    )


def _same_place(one: object, other: object) -> bool:
    if isinstance(one, os.PathLike) and isinstance(other, os.PathLike):
        try:
            return os.path.samefile(one, other)
        except OSError:  # one of them is not there, which is said where it is opened
            return False
    if isinstance(one, str) and isinstance(other, str):
        return one == other
    return one is other


def _all_arrays(found: list[object]) -> list[Values]:
    return [array for one in found for array in _arrays(one)]


def _arrays(one: object) -> Iterator[Values]:
    """The memory of an array, a column or the columns of a frame, where it can be seen."""
    import pyarrow as pa

    if isinstance(one, pa.ChunkedArray):
        for chunk in one.chunks:
            yield from _arrays(chunk)
    elif isinstance(one, pa.Array):
        kind, held = one.type, one.buffers()
        if pa.types.is_string(kind) or pa.types.is_large_string(kind):
            wide = 8 if pa.types.is_large_string(kind) else 4  # of where each text begins
        else:
            wide = kind.bit_width // 8 if pa.types.is_primitive(kind) else 0
        if wide and len(held) > 1 and held[1] is not None:
            every = np.frombuffer(held[1], dtype=np.uint8)
            yield every[one.offset * wide : (one.offset + len(one)) * wide]
    elif isinstance(one, (np.ndarray, _Column)):
        names = column_names(one)
        if names is None:
            yield as_array(one)
        for name in names or ():
            yield from _arrays(frame_column(one, name))
    elif isinstance(one, (pa.Table, pa.RecordBatch)):
        for column in one.columns:
            yield from _arrays(column)
