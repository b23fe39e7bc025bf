"""Counts that a database can make itself: SQL that places records as our own loops do.

Only whole numbers and truth values are placed by the server, so that no rounding, collation or
cast of its own plays a part: a missing number counts as 0, one outside the domain as its end,
and a missing label as 0. Whatever is not known here is read and counted by us.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from tacit.domains.integers import Integers
from tacit.sources.batch_reading import NumberReading
from tacit.tallies.digits import LeadingCounts, Spans, Table, TakeKeys

_MOST_RANGES = 64


@dataclass(frozen=True, slots=True)
class Placed:
    """The SQL of a record's cell and of its label."""

    cell: str
    label: str


def placing(
    types: Mapping[str, pa.DataType],
    read: object,
    tally: LeadingCounts | TakeKeys,
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
    if not pa.types.is_integer(types[read.columns[0]]) or domain.size > 1 << 62:
        return None
    label = _label(types, read, quoted) if tally.label is not None else "false"
    if label is None:
        return None
    value = f"CAST(COALESCE({quoted(read.columns[0])}, 0) AS bigint)"
    return Placed(f"LEAST(GREATEST({value}, 0), {domain.size - 1})", label)


def _label(
    types: Mapping[str, pa.DataType], read: NumberReading, quoted: Callable[[str], str]
) -> str | None:
    """The SQL of a label; a missing one is false."""
    name, kind = quoted(read.labels[0]), types[read.labels[0]]
    if pa.types.is_boolean(kind) and read.positive in (1, True):
        return f"({name} IS TRUE)"
    if pa.types.is_integer(kind) and type(read.positive) is int and abs(read.positive) < 1 << 62:
        return f"(({name} = {read.positive}) IS TRUE)"
    return None


def grouped(found: pa.Table, tally: LeadingCounts) -> Table:
    """The counter of rows ``cell, label, n``."""
    counter = tally.zero()
    cells = found.column("cell").to_numpy().astype(np.int64)
    ones = found.column("label").to_numpy().astype(bool)
    number = found.column("n").to_numpy().astype(np.int64)
    counter.add_counts(cells, np.stack([np.where(ones, 0, number), np.where(ones, number, 0)]))
    return counter


def inside(spans: Spans, cell: str) -> str | None:
    """A condition that holds for every record inside some span, if a short one does."""
    starts, lasts = spans.starts.tolist(), spans.lasts.tolist()
    ranges: list[list[int]] = []
    for start, last in zip(starts, lasts, strict=True):
        if ranges and start == ranges[-1][1] + 1:
            ranges[-1][1] = last
        else:
            ranges.append([start, last])
    if not ranges or len(ranges) > _MOST_RANGES:
        return None
    return " OR ".join(f"{cell} BETWEEN {start} AND {last}" for start, last in ranges)
