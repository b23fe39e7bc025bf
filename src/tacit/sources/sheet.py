"""One sheet of an Excel workbook: every cell has a type of its own, so it is read as text."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta
from functools import cached_property
from typing import TYPE_CHECKING

from tacit.core import BadInput
from tacit.sources.extent import UNREADABLE, spread_out
from tacit.sources.snapshot import Snapshot
from tacit.sources.words import changed, not_a_table

if TYPE_CHECKING:
    import pyarrow as pa

Cell = int | float | str | bool | time | date | datetime | timedelta

_ROWS = 1 << 16


class SheetFile:
    """The records of one sheet; its first row names the columns.

    The sheet is well-formed if no row is empty and none has a cell outside the named
    columns. An empty cell is missing. Every pass reads the whole sheet into memory.
    """

    def __init__(self, snapshot: Snapshot, *, sheet: str | None = None) -> None:
        self._snapshot, self._sheet, self._looked = snapshot, sheet, False
        rows = self._rows()
        header = next(rows, [])
        while header and header[-1] == "":
            header.pop()  # cells of other rows only: refused below, as a private fact
        self._names = [_text(cell) or "" for cell in header]
        if not any(self._names) or len(set(self._names)) != len(self._names):
            raise BadInput(f"{self.name}: the first row must name the columns, each differently")

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
        """The columns; a sheet has no types of columns."""
        return dict.fromkeys(self._names)

    @cached_property
    def _count(self) -> int:
        return sum(1 for _ in self._records())

    def check(self, columns: Sequence[str]) -> None:
        """Refuse a sheet that is not well-formed; one constant message."""
        del columns  # the whole sheet is one table
        _ = self._count

    def count(self) -> int:
        """How many records there are."""
        return self._count

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """The cells of these columns as text: numbers in digits, dates as 2024-05-31."""
        import pyarrow as pa

        places = [self._names.index(name) for name in columns]
        kind = pa.schema([(name, pa.string()) for name in columns])
        try:
            rows = [[_text(row[place]) for place in places] for row in self._records()]
        except BadInput:
            raise changed(self.name) from None
        if len(rows) != self._count:
            raise changed(self.name)
        for first in range(0, len(rows), _ROWS):
            part = rows[first : first + _ROWS]
            cells = [[row[place] for row in part] for place in range(len(places))]
            yield pa.RecordBatch.from_arrays(
                [pa.array(column, pa.string()) for column in cells], schema=kind
            )

    def _records(self) -> Iterator[list[Cell]]:
        """The rows below the first one; refuses a sheet that is not well-formed."""
        rows = self._rows()
        next(rows, None)
        for row in rows:
            if not self._fits(row):
                raise not_a_table(self.name)
            yield row

    def _fits(self, row: list[Cell]) -> bool:
        """Whether a row is a record: not empty, and no cell outside the named columns."""
        filled = [place for place, cell in enumerate(row) if cell != ""]
        return bool(filled) and filled[-1] < len(self._names)

    def bad_rows(self) -> Iterator[int]:
        """The numbers of the rows that are no records; for the owner."""
        numbered = enumerate(self._rows(), 1)
        next(numbered, None)
        return (number for number, row in numbered if not self._fits(row))

    def _rows(self) -> Iterator[list[Cell]]:
        """All rows from the first one on, equally wide."""
        try:
            from python_calamine import CalamineWorkbook
        except ImportError:
            raise BadInput(
                "reading .xlsx needs python-calamine: pip install tacit[excel]"
            ) from None
        with self._snapshot.opened() as file:
            data = file.read()
        try:
            book = CalamineWorkbook.from_filelike(io.BytesIO(data))
            names = list(book.sheet_names)
        except Exception:  # noqa: BLE001 - whatever the reader says, it may quote a cell
            raise not_a_table(self.name) from None
        wanted = names[0] if self._sheet is None and names else self._sheet
        if wanted not in names:
            raise BadInput(f"{self.name} has no sheet {wanted!r}; it has {', '.join(names)}")
        self._refuse_spread_out(data, names.index(wanted))
        try:
            rows: list[list[Cell]] = book.get_sheet_by_name(wanted).to_python(skip_empty_area=False)
        except Exception:  # noqa: BLE001 - the same
            raise not_a_table(self.name) from None
        yield from rows

    def _refuse_spread_out(self, data: bytes, place: int) -> None:
        """Refuse a sheet that its reader has no room for; the first pass looks for the others."""
        if self._looked:
            return
        try:
            far = spread_out(data, place)
        except UNREADABLE:
            raise not_a_table(self.name) from None
        if far:
            raise BadInput(
                f"{self.name}: the sheet spans far more cells than are filled, more than can be "
                "read: delete what stands apart from the table, or save the table as .csv"
            )
        self._looked = True


def _text(cell: Cell) -> str | None:
    """One cell as text: whole numbers in digits, dates and times as ISO 8601 writes them."""
    if cell == "":
        return None
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1 << 53 else repr(cell)
    if isinstance(cell, datetime):
        return cell.date().isoformat() if cell.time() == time() else cell.isoformat(" ")
    if isinstance(cell, (date, time)):
        return cell.isoformat()
    return str(cell)
