"""What the check of a file read, kept while it is little: such a file is read once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from threading import Lock
from typing import TYPE_CHECKING

from tacit.core.resources import resources

if TYPE_CHECKING:
    import pyarrow as pa

_MOST = 128 << 20
"""Bytes: eight million records of two columns of numbers; a threshold then stays below 500 MB."""
_PART = 8
"""Of a memory limit, so much is left for this: one part in eight."""


class KeptBatches:
    """Batches of a file, all or none of them: more than ``_MOST`` bytes are let go. Private.

    Threads that read parts of the file side by side may all add to it.
    """

    __slots__ = ("_batches", "_lock", "_most", "_used")

    def __init__(self) -> None:
        memory = resources().memory
        self._most = _MOST if memory is None else min(_MOST, memory // _PART)
        self._batches: list[tuple[int, pa.RecordBatch]] = []
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
        with self._lock:
            if self.room:
                hopeless = batch.nbytes > 1.25 * self._most * share
                self._used += self._most + 1 if hopeless else batch.nbytes
                self._batches.append((place, batch))
            if not self.room:
                self._batches = []

    def has(self, columns: Sequence[str]) -> bool:
        """Whether these columns of the whole file are here."""
        return bool(self._batches) and set(columns) <= set(self._batches[0][1].schema.names)

    def select(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """These columns, in file order."""
        ordered = sorted(self._batches, key=lambda one: one[0])
        return (batch.select(list(columns)) for _, batch in ordered)
