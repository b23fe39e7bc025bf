"""Counts that a database can make itself: SQL that places records as our own loops do.

Only whole numbers and truth values are placed by the server, so that no rounding, collation or
cast of its own plays a part: a missing number counts as 0, one outside the domain as its end,
and a missing label as 0. Whatever is not known here is read and counted by us.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from tacit.domains.integers import Integers
from tacit.sources.batch_reading import NumberReading
from tacit.tallies.digits import Counts, LeadingCounts, Spans, Table, TakeKeys
from tacit.tallies.first import FEW, FirstPass, Firsts

_MOST_RANGES = 64
_INT = 1 << 31


@dataclass(frozen=True, slots=True)
class Placed:
    """The SQL of a record's cell and of its label; and that of its value, which is its cell
    where it lies between 0 and ``last``.
    """

    cell: str
    label: str
    value: str
    last: int

    def leading(self, server: Groups, shift: int, *, before: str = "") -> str:
        """The SQL of a leading cell; ``before`` tells some records apart.

        Comparing is faster than placing, and what compares with nothing is missing: it counts as 0.
        """
        number = server.shifted(f"CAST({self.value} AS bigint)", shift)
        return (
            f"CASE {before} WHEN {self.value} BETWEEN 0 AND {self.last} THEN {number} "
            f"WHEN {self.value} > {self.last} THEN {self.last >> shift} ELSE 0 END"
        )

    def key(self, cell: str, *, below: int) -> str:
        """The SQL of one number for a cell of some kind and the label: one is grouped faster, and
        a short one, if all are short, faster still.
        """
        number = f"({cell}) * 2 + CASE WHEN {self.label} THEN 1 ELSE 0 END"
        return f"CAST({number} AS int)" if 2 * below <= _INT else number


class Groups(Protocol):
    """A server that counts records by SQL of its own."""

    def shifted(self, number: str, bits: int) -> str:
        """The SQL of a number without its last bits."""
        ...

    def groups(self, key: str, *, most: int | None) -> pa.Table | None:
        """Rows ``key, n`` of all records; ``None`` if they are more than ``most``."""
        ...


def placing(
    types: Mapping[str, pa.DataType],
    read: object,
    tally: LeadingCounts | FirstPass | TakeKeys,
    quoted: Callable[[str], str],
) -> Placed | None:
    """How the server, which writes names ``quoted``, places what ``tally`` reads; ``None`` where
    only we can.
    """
    domain = tally.column.domain
    if not isinstance(read, NumberReading) or not isinstance(domain, Integers):
        return None
    if read.ignore or read.exact or read.low or len(read.columns) != 1 or len(read.labels) > 1:
        return None
    if not pa.types.is_integer(types[read.columns[0]]) or domain.size > 1 << 61:
        return None
    label: str | None = "false"
    if tally.label is not None:
        label = label_sql(types, read.labels[0], read.positive, quoted)
    if label is None:
        return None
    value, last = quoted(read.columns[0]), domain.size - 1
    cell = f"LEAST(GREATEST(CAST(COALESCE({value}, 0) AS bigint), 0), {last})"
    return Placed(cell, label, value, last)


def label_sql(
    types: Mapping[str, pa.DataType], column: str, wanted: object, quoted: Callable[[str], str]
) -> str | None:
    """The SQL of a condition for ``CASE``: whether a label is the wanted value, which a missing
    one never meets. Where we can only tell it ourselves, ``None``.
    """
    name, kind = quoted(column), types[column]
    if pa.types.is_boolean(kind) and wanted in (1, True):
        return name
    if pa.types.is_integer(kind) and type(wanted) is int and abs(wanted) < 1 << 62:
        return f"({name} = {wanted})"
    return None


def counted(server: Groups, placed: Placed, tally: LeadingCounts) -> Table:
    """The counter of all records by leading bits, from one GROUP BY."""
    counter = tally.zero()
    counter.add_counts(*_leading(server, placed, tally))
    return counter


def first(server: Groups, placed: Placed, tally: FirstPass) -> Firsts:
    """The counter of a first pass from one GROUP BY; from two, if what is held is too much.

    What the pass may hold (few distinct values, or all values of the cells that are kept) are
    groups of their own, beside the leading cells of all others.
    """
    fine: str | None = None
    most, least, below = 2 * FEW, 0, placed.last + 1
    if tally.few:
        fine = f"{placed.cell} + {tally.cells}"
    elif tally.kept is not None:
        most = 2 * tally.cells + tally.most_held
        spans = _kept(tally.kept, tally.shift)
        if (where := inside(spans, placed)) is not None:
            least, below = int(spans.starts[0]), int(spans.lasts[-1]) + 1
            # The values themselves, less the least, come after all numbers of leading cells.
            apart = f"WHEN {where} THEN {placed.cell} + {tally.cells - least}"
            fine = placed.leading(server, tally.shift, before=apart)
    below += tally.cells - least
    found = server.groups(placed.key(fine, below=below), most=most) if fine else None
    if found is None:
        return tally.of_counts(*_leading(server, placed, tally))
    cells, number = _columns(found)
    held = cells >= tally.cells
    values = (cells[held] - tally.cells + least).astype(np.uint64)
    return tally.of_counts(cells[~held], number[:, ~held], values, number[:, held])


def _leading(
    server: Groups, placed: Placed, tally: LeadingCounts | FirstPass
) -> tuple[Counts, Counts]:
    key = placed.key(placed.leading(server, tally.shift), below=tally.cells)
    found = server.groups(key, most=None)
    assert found is not None
    return _columns(found)


def _columns(found: pa.Table) -> tuple[Counts, Counts]:
    """The cells of rows ``key, n``, which may repeat, and their records by label."""
    keys = found.column("key").to_numpy().astype(np.int64)
    number = found.column("n").to_numpy().astype(np.int64)
    return keys >> 1, np.stack([np.where(keys & 1, 0, number), np.where(keys & 1, number, 0)])


def _kept(kept: npt.NDArray[np.uint8], shift: int) -> Spans:
    """The values of leading cells."""
    starts = np.flatnonzero(kept).astype(np.uint64) << np.uint64(shift)
    return Spans(starts, starts + np.uint64((1 << shift) - 1), shift)


def inside(spans: Spans, placed: Placed) -> str | None:
    """A condition that holds for every record inside some span, if a short one does.

    Not of the ends, where other values are placed too, it asks for the value: a server finds
    that in an index.
    """
    starts, lasts = spans.starts.tolist(), spans.lasts.tolist()
    ranges: list[list[int]] = []
    for start, last in zip(starts, lasts, strict=True):
        if ranges and start == ranges[-1][1] + 1:
            ranges[-1][1] = last
        else:
            ranges.append([start, last])
    if not ranges or len(ranges) > _MOST_RANGES:
        return None
    return " OR ".join(
        f"{placed.value if start > 0 and last < placed.last else placed.cell} "
        f"BETWEEN {start} AND {last}"
        for start, last in ranges
    )
