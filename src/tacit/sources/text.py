"""A text table (CSV and its relatives): one declared dialect, every cell handed out as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from functools import cached_property
from itertools import chain, islice
from typing import TYPE_CHECKING, BinaryIO

import numpy as np
import numpy.typing as npt

from tacit.core.resources import resources
from tacit.domains import texts
from tacit.sources.beginning import SOME_ROWS, ReadsSome
from tacit.sources.blocks import MARK, at_least, bytes_of, utf8_blocks
from tacit.sources.dialect import Broken, Dialect
from tacit.sources.header import read_header
from tacit.sources.kept import KeptBatches, Narrow
from tacit.sources.parts import cut
from tacit.sources.scan import LONGEST, MALFORMED, gather, index_lines, index_records
from tacit.sources.shares import MANY_ROWS, OneAtATime, Shared, dealt, side_by_side
from tacit.sources.snapshot import Snapshot
from tacit.sources.spelling import Use, with_point
from tacit.sources.words import changed, not_a_table

if TYPE_CHECKING:
    import pyarrow as pa

_ROWS = 1 << 18
_LONG = 1 << 22
"""Bytes; a shorter file is read by one thread."""
_WHOLE: tuple[range | None, ...] = (None,)
_UNREADABLE = "\N{REPLACEMENT CHARACTER}"

Block = npt.NDArray[np.uint8]
Wide = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Found = tuple[Block, Wide, Flags]
"""Bytes, the spans of the wanted cells of the records in them, and a flag for each record or
cell: doubled quotes where there are quotes, a readable line where there are none."""


class TextFile(ReadsSome, Shared):
    """The records of one text file.

    With quotes, the file is well-formed if every record has as many cells as the header,
    quotes stand only around whole cells and are doubled inside them, lines end in LF or
    CR LF, no line is blank, and the bytes are valid. Nothing is padded, skipped or guessed.
    Without quotes every line is a record, and every cell of a line that does not fit is the
    replacement character, which no declaration contains.
    """

    def __init__(
        self, snapshot: Snapshot, dialect: Dialect, *, packed: bool = False, declared: bool = True
    ) -> None:
        self._snapshot, self.dialect, self._packed = snapshot, dialect, packed
        self._kept: KeptBatches | None = None
        self._parts, self._rows = _WHOLE, [0]
        self._uses: dict[str, Use] = {}
        with snapshot.opened() as file:
            self._names, self._start = read_header(
                file, dialect, packed=packed, name=snapshot.name, declared=declared
            )

    @property
    def kept_in(self) -> tuple[object, ...]:
        """The file."""
        return (self._snapshot.path,)

    @property
    def name(self) -> str:
        """The file's name."""
        return self._snapshot.name

    @cached_property
    def types(self) -> dict[str, None]:
        """The columns; a text table has no types."""
        return dict.fromkeys(self._names)

    @cached_property
    def _count(self) -> int:
        return self._first_pass(())

    def _first_pass(self, columns: tuple[str, ...]) -> int:
        """How many records there are; the cells of these columns are kept while they are few."""
        for parts in dict.fromkeys((self._guessed(), _WHOLE)):
            try:
                return self._look_at(parts, columns)
            except Broken:
                continue
        raise not_a_table(self.name)

    def _look_at(self, parts: tuple[range | None, ...], columns: tuple[str, ...]) -> int:
        """The same, each part in a thread of its own; raises ``Broken`` where one is not whole."""
        kept = KeptBatches()

        def rows(place: int) -> int:
            seen = 0
            for found in self._records(columns, parts[place]):
                seen += len(found[1])
                if columns and kept.room:
                    kept.add(self._batch(found, columns), place=place, share=self._share(found))
            return seen

        self._rows = side_by_side(rows, range(len(parts)))
        self._parts, self._kept = parts, kept
        return sum(self._rows)

    def _guessed(self) -> tuple[range | None, ...]:
        """Parts that threads may read side by side, if records begin where they begin."""
        size = self._snapshot.size
        if self._packed or self.dialect.encoding != "utf-8" or size < _LONG:
            return _WHOLE
        with self._snapshot.opened() as file:
            mark = len(MARK) if file.read(len(MARK)) == MARK else 0
            return cut(file, range(mark + self._start, size), resources().workers)

    def _share(self, found: Found) -> float:
        """About what part of the file these records are; the whole where that is not known."""
        spans = found[1]
        if self._packed or self.dialect.quote is None or not spans.size:
            return 1.0
        return max(1.0, float(spans[-1].max())) / max(1, self._snapshot.size)

    def check(self, columns: Sequence[str]) -> None:
        """Refuse a file that is not well-formed; one constant message, whatever is broken.

        The whole file is one table. A short one is kept, and need not be read again.
        """
        if "_count" not in self.__dict__:
            known = tuple(name for name in dict.fromkeys(columns) if name in self._names)
            self.__dict__["_count"] = self._first_pass(known)
        # What reads cells is compiled here: nothing but the records may fail after a charge.
        texts.prepare()
        nothing = np.frombuffer(b"", dtype=np.uint8)
        self._cells(nothing, np.empty((0, 1, 2), np.int64), np.empty((0, 1), np.bool_), 0)

    def count(self) -> int:
        """How many records there are."""
        return self._count

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """The cells of these columns as text, each column once, in file order; an empty cell is
        missing.

        A number that is written with a decimal comma, where that is declared, is handed out
        with a point; one with a point is then no number, and missing: ``spelling``.
        """
        (every,) = self.shares(columns, 1)
        yield from every

    def shares(self, columns: Sequence[str], parts: int) -> list[Iterator[pa.RecordBatch]]:
        """The same; whoever has nothing to do takes the next records and cuts out their cells."""
        names = tuple(dict.fromkeys(columns))
        parts = parts if self._count > MANY_ROWS else 1
        if self._kept is not None and self._kept.has(names):
            kept = self._kept.all()
            return [self._same(kept[part::parts], names) for part in range(parts)]
        if parts > 1 and len(self._parts) == 1:
            turns = OneAtATime(self._again(names, 0, copied=True))
            return [self._cut(turns, names) for _ in range(parts)]
        return [
            self._cut(chain.from_iterable(self._again(names, place) for place in places), names)
            for places in dealt(len(self._parts), parts)
        ]

    def _cut(self, turns: Iterator[Found], names: tuple[str, ...]) -> Iterator[pa.RecordBatch]:
        return (self._spelled(self._batch(found, names)) for found in turns)

    def _same(
        self, kept: list[Narrow], names: tuple[str, ...], rows: int | None = None
    ) -> Iterator[pa.RecordBatch]:
        """Batches that were kept, or the first ``rows`` records of each."""
        with self._snapshot.opened():  # ends the run if the file is another one now
            for batch in kept:
                yield self._spelled(batch.wide(names, rows))

    def _again(
        self, names: tuple[str, ...], place: int, *, copied: bool = False
    ) -> Iterator[Found]:
        """The records of a part of a file that was checked; ``copied`` where the next are asked
        for while these are still used.
        """
        seen = 0
        try:
            for data, spans, flags in self._records(names, self._parts[place]):
                seen += len(spans)
                yield (data, spans.copy(), flags.copy()) if copied else (data, spans, flags)
        except Broken:
            seen = -1
        if seen != self._rows[place]:
            raise changed(self.name)

    def used(self, uses: dict[str, Use]) -> TextFile:
        """The same file, the cells of these columns for this use; of all others as numbers."""
        if self.dialect.decimal == ".":
            return self
        other = copy(self)
        other._uses = uses
        return other

    def _spelled(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """A batch of cells as written, with a point where a comma was declared."""
        import pyarrow as pa

        if self.dialect.decimal == ".":
            return batch
        names = batch.schema.names
        uses = (self._uses.get(name, Use.NUMBER) for name in names)
        cells = [with_point(one, use) for one, use in zip(batch.columns, uses, strict=True)]
        return pa.RecordBatch.from_arrays(cells, names=names)

    def some(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """The first records."""
        names = tuple(dict.fromkeys(columns))
        if self._kept is not None and self._kept.has(names):
            yield from self._same(self._kept.all()[:1], names, SOME_ROWS)
            return
        for data, spans, flags in islice(self._again(names, 0), 1):
            first = data, spans[:SOME_ROWS], flags[:SOME_ROWS]
            yield self._spelled(self._batch(first, names))

    def raw(self) -> Iterator[tuple[bytes, bool]]:
        """All bytes after the header in UTF-8, and whether they are the last; for the owner."""
        with self._snapshot.opened() as file:
            for block in self._blocks(file, None):
                yield block, False
        yield b"", True

    def _blocks(self, file: BinaryIO, part: range | None) -> Iterator[bytes]:
        """The bytes after the header in UTF-8, or a part of a file that is written in it."""
        if part is not None:
            yield from bytes_of(file, part)
            return
        skip = self._start
        for block in utf8_blocks(file, self.dialect, packed=self._packed):
            if skip < len(block):
                yield block[skip:]
            skip = max(0, skip - len(block))

    def _records(self, columns: tuple[str, ...], part: range | None) -> Iterator[Found]:
        """Blocks of bytes with the spans of the wanted cells of the records in them.

        Raises ``Broken`` where the part is not made of whole records.
        """
        slots = np.full(len(self._names), -1, dtype=np.int64)
        for place, name in enumerate(columns):
            slots[self._names.index(name)] = place
        spans = np.empty((_ROWS, len(columns), 2), dtype=np.int64)
        flags = np.empty((_ROWS, max(1, len(columns))), dtype=np.bool_)
        strict = self.dialect.quote is not None
        last = part is None or part.stop == self._snapshot.size
        with self._snapshot.opened() as file:
            blocks = self._blocks(file, part)
            rest, ended = b"", False
            while not ended:
                more = at_least(blocks, len(rest))
                ended = not more
                data = np.frombuffer(rest + more, dtype=np.uint8)
                start, found = 0, -1
                while found:
                    here = data[start:]
                    scan = self._strict if strict else self._total
                    found, used = scan(here, slots, spans, flags, final=ended and last)
                    if found:
                        yield here, spans[:found], flags[:found]
                    start += used
                rest = data[start:].tobytes()
                if not strict and len(rest) > LONGEST:
                    rest = b"\xff"  # unreadable whatever follows in its line
            if rest:
                raise Broken("a record goes on where the part ends")

    def _strict(
        self, data: Block, slots: Wide, spans: Wide, flags: Flags, *, final: bool
    ) -> tuple[int, int]:
        state, found, used = index_records(data, final, self.dialect.marks, slots, spans, flags)
        if state == MALFORMED or not _is_utf8(data[:used]):
            raise Broken
        return found, used

    def _total(
        self, data: Block, slots: Wide, spans: Wide, flags: Flags, *, final: bool
    ) -> tuple[int, int]:
        delimiter = self.dialect.marks[0]
        found, used = index_lines(data, final, delimiter, slots, spans, flags[:, 0])
        return int(found), int(used)

    def _batch(self, found: Found, names: tuple[str, ...]) -> pa.RecordBatch:
        import pyarrow as pa

        cells = [self._cells(*found, place) for place in range(len(names))]
        return pa.RecordBatch.from_arrays(cells, names=list(names))

    def _cells(self, data: Block, spans: Wide, flags: Flags, place: int) -> pa.StringArray:
        """One column's cells as an Arrow array of text."""
        import pyarrow as pa
        import pyarrow.compute as pc

        strict = self.dialect.quote is not None
        # In one piece, as ``check`` had them compiled for.
        doubled = flags[:, place].copy() if strict else np.zeros(len(spans), dtype=np.bool_)
        readable = flags[:, 0]  # means that only where there are no quotes
        # First and last byte as one item each: numpy copies these ten times as fast as pairs.
        here = spans.view("V16")[:, place, 0].copy().view(np.int64).reshape(-1, 2)
        if not strict:
            here[~readable] = 0
        offsets = np.empty(len(here) + 1, dtype=np.int32)
        valid = np.empty(len(here), dtype=np.bool_)
        lengths = here[:, 1] - here[:, 0]
        if len(here) and (here.min() < 0 or here.max() > len(data) or lengths.min() < 0):
            raise IndexError("a cell must lie inside the bytes that were read")
        out = np.empty(int(lengths.sum()), dtype=np.uint8)
        gather(data, here, doubled, self.dialect.marks[1], offsets, valid, out)
        buffers = (offsets, out, np.packbits(valid, bitorder="little"))
        cells = pa.StringArray.from_buffers(len(here), *map(pa.py_buffer, buffers))
        if not strict and not readable.all():
            cells = pc.if_else(pa.array(readable), cells, _UNREADABLE)
        return cells


def _is_utf8(data: Block) -> bool:
    if data.max(initial=0) < 128:  # ASCII, seen without making text of it
        return True
    try:
        str(data.data, "utf-8")
    except UnicodeDecodeError:
        return False
    return True
