"""What the check of a file read, kept while it is little: such a file is read once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from tacit.core.resources import resources

if TYPE_CHECKING:
    import pyarrow as pa

_MOST = 64 << 20
"""Bytes: 13 million records of a column of 32 bits and a label; a threshold stays below 500 MB."""
_PART = 8
"""Of a memory limit, so much is left for this: one part in eight."""
_SLAB, _LINE = 1 << 24, 64
_SOME = 8
"""Records from all over the file are taken from so many batches."""

Bytes = npt.NDArray[np.uint8]
Room = Callable[[int], Bytes]
"""Gives so many bytes of memory."""


class _Slabs:
    """Memory in large pieces, which columns share: the system clears small ones page by page, and
    that takes longer than copying the column.
    """

    __slots__ = ("_left", "_lock")

    def __init__(self) -> None:
        self._left: Bytes = np.empty(0, dtype=np.uint8)
        self._lock = Lock()

    def __call__(self, size: int) -> Bytes:
        most = -(-size // _LINE) * _LINE
        with self._lock:
            if len(self._left) < most:
                self._left = np.empty(max(most, _SLAB), dtype=np.uint8)
            found, self._left = self._left[:size], self._left[most:]
        return found


def anywhere(size: int) -> Bytes:
    """So many bytes of memory of their own."""
    return np.empty(size, dtype=np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class Narrow:
    """A batch whose whole numbers are held in as few bytes as they need. Private."""

    columns: tuple[pa.Array, ...]
    schema: pa.Schema

    @classmethod
    def of(cls, batch: pa.RecordBatch | Narrow, room: Room = anywhere) -> Narrow:
        """What a batch holds, in memory that ``room`` gives."""
        return cls(tuple(_narrowed(one, room) for one in batch.columns), batch.schema)

    def __repr__(self) -> str:
        return "Narrow(private)"

    @property
    def num_rows(self) -> int:
        """How many records there are."""
        return len(self.columns[0])

    def column(self, i: int | str) -> pa.Array:
        """One column of the batch that it was."""
        place = self.schema.get_field_index(i) if isinstance(i, str) else i
        return _as_type(self.columns[place], self.schema.field(place).type)

    def whole(self, name: str) -> pa.Array:
        """One column as it is held: whole numbers of perhaps another type."""
        return self.columns[self.schema.get_field_index(name)]

    @property
    def nbytes(self) -> int:
        """How much room it takes."""
        return sum(column.nbytes for column in self.columns)

    def wide(self, names: Sequence[str], rows: int | None = None) -> pa.RecordBatch:
        """These columns of the batch that it was, or of its first ``rows`` records."""
        import pyarrow as pa

        few = self.only(names, rows)
        wide = [few.column(place) for place in range(len(names))]
        return pa.RecordBatch.from_arrays(wide, names=list(names))

    def only(self, names: Sequence[str], rows: int | None = None) -> Narrow:
        """These columns, of all records or the first ``rows``."""
        import pyarrow as pa

        places = [self.schema.get_field_index(name) for name in names]
        chosen = tuple(self.columns[place].slice(0, rows) for place in places)
        return Narrow(chosen, pa.schema([self.schema.field(place) for place in places]))


def _as_type(column: pa.Array, kind: pa.DataType) -> pa.Array:
    """The same whole numbers as a type that holds them."""
    import pyarrow as pa

    if column.type == kind:
        return column
    return pa.array(column.to_numpy().astype(kind.to_pandas_dtype()))


def _narrowed(column: pa.Array, room: Room) -> pa.Array:
    """The same whole numbers as the shortest type without sign that holds them; else as it is."""
    import pyarrow as pa

    whole, real = pa.types.is_integer(column.type), pa.types.is_floating(column.type)
    if not (whole or real) or column.null_count or not len(column):
        return column
    values = column.to_numpy()
    kind = _shortest(values) if whole else values.dtype
    held = room(kind.itemsize * len(values)).view(kind)
    np.copyto(held, values, casting="unsafe")  # the type holds every one of them
    return pa.array(held)


def _shortest(values: npt.NDArray[np.integer]) -> np.dtype[np.integer]:
    """The shortest type that holds all of these whole numbers."""
    if values.itemsize == 1:
        return values.dtype
    # Read as unsigned, a negative number has the highest bit: one pass finds the longest.
    bits = int(np.bitwise_or.reduce(values.view(f"u{values.itemsize}"))).bit_length()
    for size in (1, 2, 4):
        if size < values.itemsize and bits <= 8 * size:
            return np.dtype(f"u{size}")
    return values.dtype


class KeptBatches:
    """Batches of a file, all or none of them: more than ``_MOST`` bytes are let go. Private.

    Threads that read parts of the file side by side may all add to it. Where the batches have at
    least ``least`` bytes in all, and that is too much, none is waited for.
    """

    __slots__ = ("_batches", "_lock", "_most", "_slabs", "_used")

    def __init__(self, least: int = 0) -> None:
        memory = resources().memory
        self._most = _MOST if memory is None else min(_MOST, memory // _PART)
        self._batches: list[tuple[int, Narrow]] = []
        self._used, self._lock, self._slabs = least if least > self._most else 0, Lock(), _Slabs()

    def __repr__(self) -> str:
        return "KeptBatches(private)"

    @property
    def room(self) -> bool:
        """Whether all that came so far is kept."""
        return self._used <= self._most

    def add(self, batch: pa.RecordBatch | Narrow, *, place: int = 0, share: float = 1.0) -> None:
        """Keep the next batch too, if there is room for all.

        It belongs to the part ``place`` of the file, and is about this ``share`` of the whole:
        where the whole would be too much, nothing is held for a while in vain.
        """
        narrow = Narrow.of(batch, self._slabs)
        with self._lock:
            if self.room:
                hopeless = narrow.nbytes > 1.25 * self._most * share
                self._used += self._most + 1 if hopeless else narrow.nbytes
                self._batches.append((place, narrow))
            if not self.room:
                self._batches = []

    def has(self, columns: Sequence[str]) -> bool:
        """Whether these columns of the whole file are here."""
        return bool(self._batches) and set(columns) <= set(self._batches[0][1].schema.names)

    def all(self) -> list[Narrow]:
        """Every batch, in file order."""
        return [batch for _, batch in sorted(self._batches, key=lambda one: one[0])]

    def some(self, columns: Sequence[str], rows: int) -> Iterator[pa.RecordBatch]:
        """These columns of about so many records, from all over the file."""
        batches = self.all()
        few = batches[:: max(1, len(batches) // _SOME)]
        each = -(-rows // max(1, len(few)))
        return (batch.wide(columns, each) for batch in few)
