"""What the check of a file read, kept while it is little: such a file is read once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tacit.core.resources import resources

if TYPE_CHECKING:
    import pyarrow as pa

_MOST = 128 << 20
"""Bytes: eight million records of two columns of numbers; a threshold then stays below 500 MB."""
_PART = 8
"""Of a memory limit, so much is left for this: one part in eight."""


class KeptBatches:
    """Batches of a file, all or none of them: more than ``_MOST`` bytes are let go. Private."""

    __slots__ = ("_batches", "_most", "_used")

    def __init__(self) -> None:
        memory = resources().memory
        self._most = _MOST if memory is None else min(_MOST, memory // _PART)
        self._batches: list[pa.RecordBatch] = []
        self._used = 0

    def __repr__(self) -> str:
        return "KeptBatches(private)"

    @property
    def room(self) -> bool:
        """Whether all that came so far is kept."""
        return self._used <= self._most

    def add(self, batch: pa.RecordBatch) -> None:
        """Keep the next batch too, if there is room for all."""
        if self.room:
            self._used += batch.nbytes
            self._batches.append(batch)
        if not self.room:
            self._batches = []

    def has(self, columns: Sequence[str]) -> bool:
        """Whether these columns of the whole file are here."""
        return bool(self._batches) and set(columns) <= set(self._batches[0].schema.names)

    def select(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """These columns, in file order."""
        return (batch.select(list(columns)) for batch in self._batches)
