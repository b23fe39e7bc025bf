"""Parquet and Feather files: their columns have types of their own, which are public."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol

from tacit.core import BadInput
from tacit.core.resources import resources
from tacit.sources.beginning import SOME_ROWS, ReadsSome
from tacit.sources.chunks import Unusual
from tacit.sources.kept import KeptBatches, Narrow
from tacit.sources.plain import PlainGroups
from tacit.sources.shares import MANY_ROWS, OneAtATime, Shared, dealt, side_by_side
from tacit.sources.snapshot import Snapshot
from tacit.sources.words import changed, not_a_table

if TYPE_CHECKING:
    import pyarrow as pa

_MOST_ROWS, _CELLS = 1 << 18, 1 << 20
_PLACES, _FEW_COLUMNS = 8, 4
_BUFFER = 1 << 16


class Format(Protocol):
    """How one kind of file is read by Arrow from an open file alone."""

    def schema(self, file: BinaryIO) -> pa.Schema:
        """The names and types of the columns."""
        ...

    def rows(self, file: BinaryIO) -> list[int]:
        """How many records there are in each piece of the file."""
        ...

    def batches(
        self, file: BinaryIO, names: list[str], pieces: Sequence[int]
    ) -> Generator[tuple[int, pa.RecordBatch | Narrow]]:
        """These columns of these pieces, in their order, each batch with its piece's number."""
        ...

    def sound(self, file: BinaryIO, names: list[str], pieces: Sequence[int]) -> frozenset[int]:
        """The pieces of which it is seen that ``batches`` cannot fail with them.

        Of all others only decoding will tell.
        """
        ...

    def some(self, file: BinaryIO, names: list[str]) -> Iterator[pa.RecordBatch]:
        """These columns of some records, from all over the file."""
        ...


class TypedFile(ReadsSome, Shared):
    """The records of one typed file.

    Names are compared exactly; folders, partitions and patterns play no part. The file is
    well-formed if every column that is asked for can be decoded, and its text is UTF-8.
    """

    def __init__(self, snapshot: Snapshot, form: Format) -> None:
        self._snapshot, self._form = snapshot, form
        self._checked: frozenset[str] = frozenset()
        self._kept: KeptBatches | None = None
        with snapshot.opened() as file, _Guard(self.name):
            self._schema = form.schema(file)
            self._rows = form.rows(file)
        names = self._schema.names
        if not names or len(set(names)) != len(names):
            raise BadInput(f"{self.name}: the columns must have names, each a different one")

    @property
    def kept_in(self) -> tuple[object, ...]:
        """The file."""
        return (self._snapshot.path,)

    @property
    def name(self) -> str:
        """The file's name."""
        return self._snapshot.name

    @cached_property
    def types(self) -> dict[str, pa.DataType]:
        """The columns and their Arrow types; a dictionary counts as the type of its values."""
        return {field.name: _plain(field.type) for field in self._schema}

    @property
    def required(self) -> frozenset[str]:
        """The columns that cannot hold a missing value; only Parquet keeps that promise."""
        if not isinstance(self._form, Parquet):
            return frozenset()
        return frozenset(field.name for field in self._schema if not field.nullable)

    def check(self, columns: Sequence[str]) -> None:
        """Refuse a file whose named columns cannot be decoded; one constant message."""
        wanted = [name for name in dict.fromkeys(columns) if name not in self._checked]
        if not wanted:
            return
        numbers = [name for name, kind in self.types.items() if name in wanted and _is_number(kind)]
        kept = KeptBatches(least=self._count * len(numbers))

        def looked_at(pieces: range) -> int:
            with self._snapshot.opened() as file, _Guard(self.name):
                kept_of = self._keep(file, wanted, pieces, kept)
                rest = [piece for piece in pieces if piece not in kept_of]
                sound = self._form.sound(file, wanted, rest) if rest else frozenset()
                unsure = [piece for piece in rest if piece not in sound]
                rows = sum(kept_of.values()) + sum(self._rows[piece] for piece in sound)
                decoded = self._form.batches(file, wanted, unsure) if unsure else ()
                return rows + sum(_decodable(batch) for _, batch in decoded)

        parts = self._dealt(resources().workers, wanted)
        if sum(side_by_side(looked_at, parts)) != self._count:
            raise not_a_table(self.name)
        self._checked |= set(wanted)
        self._kept = kept

    def _keep(
        self, file: BinaryIO, names: list[str], pieces: Sequence[int], kept: KeptBatches
    ) -> dict[int, int]:
        """Decode pieces while there is room for what they hold: how many records each had."""
        rows: dict[int, int] = {}
        if not kept.room:
            return rows
        with closing(self._form.batches(file, names, pieces)) as batches:
            for piece, batch in batches:
                if not kept.room:  # of this piece some records may not have come yet
                    rows.pop(piece, None)
                    break
                rows[piece] = rows.get(piece, 0) + _decodable(batch)
                share = batch.num_rows / self._count
                kept.add(_plain_batch(batch, names), place=piece, share=share)
        return rows

    def _dealt(self, parts: int, names: list[str]) -> list[range]:
        """The pieces of the file, dealt out to so many threads where that is a gain.

        A piece of many columns takes much room, and Arrow decodes its columns side by side.
        """
        many = self._count > MANY_ROWS and 2 * max(self._rows) <= self._count
        return dealt(len(self._rows), parts if many and len(names) <= _FEW_COLUMNS else 1)

    @cached_property
    def _count(self) -> int:
        return sum(self._rows)

    def count(self) -> int:
        """How many records there are."""
        return self._count

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """These columns, in file order, dictionaries replaced by their values."""
        (every,) = self.shares(columns, 1)
        yield from (one.wide(columns) if isinstance(one, Narrow) else one for one in every)

    def shares(self, columns: Sequence[str], parts: int) -> list[Iterator[pa.RecordBatch | Narrow]]:
        """These columns, the pieces of the file dealt out."""
        names = list(columns)
        if self._kept is not None and self._kept.has(names):
            parts = parts if self._count > MANY_ROWS else 1
            batches = self._kept.all()
            return [self._same(batches[part::parts], names) for part in range(parts)]
        every = [self._read(names, pieces) for pieces in self._dealt(parts, names)]
        if len(every) == 1 < parts and len(names) > _FEW_COLUMNS:
            return [OneAtATime(every[0])] * parts
        return every

    def _same(self, batches: list[Narrow], names: list[str]) -> Iterator[Narrow]:
        """Batches that were kept."""
        with self._snapshot.opened():  # ends the run if the file is another one now
            for batch in batches:
                yield batch.only(names)

    def _read(self, names: list[str], pieces: range) -> Iterator[pa.RecordBatch | Narrow]:
        rows = 0
        with self._snapshot.opened() as file:
            batches = self._form.batches(file, names, pieces)
            while True:
                try:
                    with _Guard(self.name):
                        batch = next(batches, None)
                        cells = None if batch is None else _plain_batch(batch[1], names)
                except BadInput:
                    raise changed(self.name) from None
                if cells is None:
                    break
                rows += cells.num_rows
                yield cells
        if rows != sum(self._rows[piece] for piece in pieces):
            raise changed(self.name)

    def some(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """These columns of some records, from all over the file."""
        names = list(columns)
        with self._snapshot.opened() as file:
            if self._kept is not None and self._kept.has(names):
                yield from self._kept.some(names, SOME_ROWS)
                return
            try:
                with _Guard(self.name):
                    read = [_plain_batch(one, names) for one in self._form.some(file, names)]
            except BadInput:
                raise changed(self.name) from None
        yield from read


class _Guard:
    """Turns whatever Arrow says of a file into the one constant message: it may quote a value."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None and issubclass(kind, Exception):
            raise not_a_table(self._name) from None


class Parquet:
    """A Parquet file."""

    def schema(self, file: BinaryIO) -> pa.Schema:
        """The names and types of the columns."""
        import pyarrow.parquet as pq

        return pq.read_schema(file)

    def rows(self, file: BinaryIO) -> list[int]:
        """How many records there are in each row group."""
        import pyarrow.parquet as pq

        found = pq.read_metadata(file)
        return [int(found.row_group(one).num_rows) for one in range(found.num_row_groups)]

    def batches(
        self, file: BinaryIO, names: list[str], pieces: Sequence[int]
    ) -> Generator[tuple[int, pa.RecordBatch | Narrow]]:
        """These columns of these row groups."""
        with _by_arrow(file) as opened:
            table = _parquet(opened, little=len(names) > _FEW_COLUMNS)
            alone = len(pieces) == table.num_row_groups  # else other threads read the others
            plain, rows = PlainGroups(file, table, names), _rows(names)
            # Asked for all row groups at once, Arrow keeps every one it has read.
            for group in pieces:
                done = 0
                try:  # each as it was seen to be sound, whatever those before it are
                    for narrow in plain.batches(file, group, rows):
                        done += narrow.num_rows
                        yield group, narrow
                except Unusual:
                    plain.sound(file, group)  # what is damaged must not be read by Arrow either
                    every = table.iter_batches(rows, [group], names, use_threads=alone)
                    yield from ((group, batch) for batch in _after(done, every))

    def sound(self, file: BinaryIO, names: list[str], pieces: Sequence[int]) -> frozenset[int]:
        """The row groups whose pages are seen to be sound."""
        with _by_arrow(file) as opened:
            plain = PlainGroups(file, _parquet(opened, little=True), names)
        return frozenset(group for group in pieces if plain.sound(file, group))

    def some(self, file: BinaryIO, names: list[str]) -> Iterator[pa.RecordBatch]:
        """The first records of some row groups."""
        with _by_arrow(file) as opened:
            table = _parquet(opened, little=True)
            plain, rows = PlainGroups(file, table, names, ahead=_BUFFER), SOME_ROWS // _PLACES
            for group in _spread(table.num_row_groups):
                try:  # what was seen to be sound is read as it was seen: Arrow may refuse it
                    yield from islice(plain.batches(file, group, rows), 1)
                except Unusual:
                    every = table.iter_batches(rows, row_groups=[group], columns=names)
                    yield from islice(every, 1)


def _after(done: int, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """What follows the first ``done`` records."""
    for batch in batches:
        known = min(done, batch.num_rows)
        done -= known
        if known < batch.num_rows:
            yield batch.slice(known)


def _parquet(opened: Any, *, little: bool) -> Any:
    """An open Parquet file, of which ``little`` of each column is read at a time.

    Arrow else reads a whole row group, and holds it besides what it makes of it.
    """
    import pyarrow.parquet as pq

    buffers = {"pre_buffer": False, "buffer_size": _BUFFER} if little else {}
    return pq.ParquetFile(opened, page_checksum_verification=True, **buffers)


class Feather:
    """A Feather file of version 2."""

    def schema(self, file: BinaryIO) -> pa.Schema:
        """The names and types of the columns."""
        import pyarrow as pa

        return pa.ipc.open_file(file).schema

    def rows(self, file: BinaryIO) -> list[int]:
        """How many records there are in each batch."""
        import pyarrow as pa

        table = pa.ipc.open_file(file)
        return [table.get_batch(place).num_rows for place in range(table.num_record_batches)]

    def batches(
        self, file: BinaryIO, names: list[str], pieces: Sequence[int]
    ) -> Generator[tuple[int, pa.RecordBatch | Narrow]]:
        """These columns of these batches."""
        import pyarrow as pa

        table = pa.ipc.open_file(file)
        for place in pieces:
            yield place, table.get_batch(place).select(names)

    def sound(self, _file: BinaryIO, _names: list[str], _pieces: Sequence[int]) -> frozenset[int]:
        """None: a batch has to be decoded."""
        return frozenset()

    def some(self, file: BinaryIO, names: list[str]) -> Iterator[pa.RecordBatch]:
        """The first records of some batches."""
        import pyarrow as pa

        table = pa.ipc.open_file(file)
        for place in _spread(table.num_record_batches):
            yield table.get_batch(place).select(names).slice(0, SOME_ROWS // _PLACES)


def _by_arrow(file: BinaryIO) -> AbstractContextManager[Any]:
    """The same open file for Arrow to read by itself, where the system offers that: threads then
    do not wait for each other, and what was read is given back.
    """
    import pyarrow as pa

    try:
        opened: AbstractContextManager[Any] = pa.OSFile(f"/proc/self/fd/{file.fileno()}")
    except OSError:
        return nullcontext(file)
    return opened


def _rows(names: list[str]) -> int:
    """How many records are read at once: threads wait for each other once a batch, and a batch
    of many columns takes much room.
    """
    return max(1, min(_MOST_ROWS, _CELLS // max(1, len(names))))


def _spread(count: int) -> list[int]:
    """Some places of ``0, ..., count - 1``, evenly spread."""
    return sorted({place * count // _PLACES for place in range(_PLACES)}) if count else []


def _decodable(batch: pa.RecordBatch | Narrow) -> int:
    """How many records a batch has, whose text is UTF-8: else it would fail later."""
    if isinstance(batch, Narrow):
        return batch.num_rows  # numbers alone
    batch.validate(full=True)
    return int(batch.num_rows)


def _is_number(kind: pa.DataType) -> bool:
    """Whether every value takes a byte at least, however it is kept."""
    import pyarrow as pa

    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))


def _plain(kind: pa.DataType) -> pa.DataType:
    import pyarrow as pa

    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _plain_batch(batch: pa.RecordBatch | Narrow, names: list[str]) -> pa.RecordBatch | Narrow:
    """These columns, without dictionaries."""
    if isinstance(batch, Narrow):
        return batch
    import pyarrow as pa

    return pa.RecordBatch.from_arrays([_decoded(batch.column(n)) for n in names], names=names)


def _decoded(column: pa.Array) -> pa.Array:
    """A dictionary's values in place of its codes: which values occur is private."""
    import pyarrow as pa

    return column.dictionary_decode() if isinstance(column, pa.DictionaryArray) else column
