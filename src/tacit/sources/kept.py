"""What the check of a file read, kept while it is little: such a file is read once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from tacit.core.resources import resources

if TYPE_CHECKING:
    import pyarrow as pa

_MOST = 128 << 20
"""Bytes: 25 million records of a column of 32 bits and a label; a threshold stays below 500 MB."""
_PART = 8
"""Of a memory limit, so much is left for this: one part in eight."""


@dataclass(frozen=True, slots=True, eq=False)
class Narrow:
    """A batch whose whole numbers are held in as few bytes as they need. Private."""

    columns: tuple[pa.Array, ...]
    schema: pa.Schema

    @classmethod
    def of(cls, batch: pa.RecordBatch) -> Narrow:
        """What a batch holds."""
        return cls(tuple(map(_narrowed, batch.columns)), batch.schema)

    def __repr__(self) -> str:
        return "Narrow(private)"

    @property
    def nbytes(self) -> int:
        """How much room it takes."""
        return sum(column.nbytes for column in self.columns)

    def wide(self, names: Sequence[str], rows: int | None = None) -> pa.RecordBatch:
        """These columns of the batch that it was, or of its first ``rows`` records."""
        import pyarrow as pa

        places = [self.schema.get_field_index(name) for name in names]
        chosen = [self.columns[place].slice(0, rows) for place in places]
        kinds = [self.schema.field(place).type for place in places]
        both = zip(chosen, kinds, strict=True)
        wide = [one if one.type == kind else one.cast(kind) for one, kind in both]
        return pa.RecordBatch.from_arrays(wide, names=list(names))


def _narrowed(column: pa.Array) -> pa.Array:
    """The same whole numbers as the shortest type without sign that holds them; else as it is."""
    import pyarrow as pa

    if not pa.types.is_integer(column.type) or column.null_count or not len(column):
        return column
    values = column.to_numpy()
    least, most = int(values.min()), int(values.max())
    for kind in (np.uint8, np.uint16, np.uint32):
        if np.dtype(kind).itemsize < values.itemsize and least >= 0 and most <= np.iinfo(kind).max:
            return pa.array(values.astype(kind))
    return column


class KeptBatches:
    """Batches of a file, all or none of them: more than ``_MOST`` bytes are let go. Private.

    Threads that read parts of the file side by side may all add to it.
    """

    __slots__ = ("_batches", "_lock", "_most", "_used")

    def __init__(self) -> None:
        memory = resources().memory
        self._most = _MOST if memory is None else min(_MOST, memory // _PART)
        self._batches: list[tuple[int, Narrow]] = []
        self._used, self._lock = 0, Lock()

    def __repr__(self) -> str:
        return "KeptBatches(private)"

    @property
    def room(self) -> bool:
        """Whether all that came so far is kept."""
        return self._used <= self._most

    def add(self, batch: pa.RecordBatch, *, place: int = 0, share: float = 1.0) -> None:
        """Keep the next batch too, if there is room for all.

        It belongs to the part ``place`` of the file, and is about this ``share`` of the whole:
        where the whole would be too much, nothing is held for a while in vain.
        """
        narrow = Narrow.of(batch)
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
        each = -(-rows // max(1, len(batches)))
        return (batch.wide(columns, each) for batch in batches)
