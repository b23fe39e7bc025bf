"""A Parquet file: its columns have types of their own, which are public."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

from tacit.core import BadInput, SourceChanged
from tacit.sources.snapshot import Snapshot
from tacit.sources.words import not_a_table

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

_ROWS = 1 << 16


class ParquetFile:
    """The records of one Parquet file, read by Arrow from that file alone.

    Names are compared exactly; folders, partitions and patterns play no part.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._checked: frozenset[str] = frozenset()
        with self._opened() as file:
            self._schema = file.schema_arrow
            self._count = int(file.metadata.num_rows)
        names = self._schema.names
        if not names or len(set(names)) != len(names):
            raise BadInput(f"{self.name}: the columns must have names, each a different one")

    @property
    def name(self) -> str:
        """The file's name."""
        return self._snapshot.name

    @cached_property
    def types(self) -> dict[str, pa.DataType]:
        """The columns and their Arrow types; a dictionary counts as the type of its values."""
        return {field.name: _plain(field.type) for field in self._schema}

    def check(self, columns: Sequence[str]) -> None:
        """Refuse a file whose named columns cannot be decoded; one constant message."""
        if set(columns) <= self._checked:
            return
        rows = 0
        with self._opened() as file:
            for batch in file.iter_batches(batch_size=_ROWS, columns=list(columns)):
                batch.validate(full=True)  # text that is not UTF-8 would fail later
                rows += batch.num_rows
        if rows != self._count:
            raise not_a_table(self.name)
        self._checked |= set(columns)

    def count(self) -> int:
        """How many records there are."""
        return self._count

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """These columns, in file order."""
        import pyarrow as pa

        names, rows = list(columns), 0
        try:
            with self._opened() as file:
                for batch in file.iter_batches(batch_size=_ROWS, columns=names):
                    rows += batch.num_rows
                    cells = [_decoded(batch.column(name)) for name in names]
                    yield pa.RecordBatch.from_arrays(cells, names=names)
        except BadInput:
            rows = -1
        if rows != self._count:
            raise SourceChanged(f"{self.name} changed while it was read; run it again")

    @contextmanager
    def _opened(self) -> Iterator[pq.ParquetFile]:
        import pyarrow as pa
        import pyarrow.parquet as pq

        with self._snapshot.opened() as file:
            try:
                with pq.ParquetFile(file, page_checksum_verification=True) as table:
                    yield table
            except (pa.ArrowException, OSError, ValueError, UnicodeDecodeError):
                # Arrow's message may quote a value.
                raise not_a_table(self.name) from None


def _plain(kind: pa.DataType) -> pa.DataType:
    import pyarrow as pa

    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _decoded(column: pa.Array) -> pa.Array:
    """A dictionary's values in place of its codes: which values occur is private."""
    import pyarrow as pa

    return column.dictionary_decode() if isinstance(column, pa.DictionaryArray) else column
