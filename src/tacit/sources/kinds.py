"""Kinds of records counted by a server: only the counts travel, and no record.

Only columns of numbers are placed by SQL, by the very borders of their cells: a value is compared
with floats, which every engine does alike, and nothing is computed that could be rounded. What is
missing or no number has the first cell. Whatever is not known here is read and placed by us.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod

import numpy as np
import pyarrow as pa

from tacit.domains.fields import Integer, Number
from tacit.domains.guards import check_cells
from tacit.sources.batch_reading import TableReading
from tacit.sources.pushed import Groups, label_sql
from tacit.tallies.few_cells import Counts, KindCounts

_MOST_BORDERS = 256
"""In one query: Java does not compile longer ones, and then runs them slowly."""
_MOST_LABEL = 1 << 53
"""Whole numbers below are compared as such; others as floats, here only."""


def counted_kinds(server: Groups, kind: str, kinds: KindCounts) -> Counts:
    """The counter of all records, grouped by the server by this SQL of the number of a kind."""
    found = server.groups(kind, most=None)
    assert found is not None
    numbers = found.column("key").to_numpy()
    check_cells(numbers[:, None], numbers, (prod(kinds.shape),))
    counter = kinds.zero()
    np.add.at(counter[0], numbers, found.column("n").to_numpy())
    return counter


def kind_sql(
    types: Mapping[str, pa.DataType],
    read: object,
    kinds: KindCounts,
    quoted: Callable[[str], str],
) -> str | None:
    """The SQL of the number of a record's kind; ``None`` where only we can tell it."""
    schema = kinds.schema
    if not isinstance(read, TableReading) or read.columns != schema.names or kinds.values != 2:
        return None
    if read.ignore or read.each or read.values is not None or len(read.labels) != 1:
        return None
    tags = _tags(types, read, kinds, quoted)
    if tags is None or sum(map(_borders, schema.fields)) > _MOST_BORDERS:
        return None
    number = "0"
    for name, field in zip(schema.names, schema.fields, strict=True):
        kind = types[name]
        real = pa.types.is_float32(kind) or pa.types.is_float64(kind)
        if not isinstance(field, Number | Integer):
            return None
        if not (real or pa.types.is_signed_integer(kind)):
            return None
        number = f"({number}) * {field.cells} + {_cell(quoted(name), field)}"
    for tag in tags:
        number = f"({number}) * 2 + CASE WHEN {tag} THEN 1 ELSE 0 END"
    return f"CAST({number} AS int)"


def _borders(field: object) -> int:
    return len(field.borders) if isinstance(field, Number | Integer) else 0


def _tags(
    types: Mapping[str, pa.DataType],
    read: TableReading,
    kinds: KindCounts,
    quoted: Callable[[str], str],
) -> list[str] | None:
    """The SQL of the label and, if it is counted, of whether the label was declared."""
    told = [read.positive] if read.negative is None else [read.positive, read.negative]
    if any(isinstance(one, int) and abs(one) >= _MOST_LABEL for one in told):
        return None
    known = [label_sql(types, read.labels[0], one, quoted) for one in told]
    if None in known:
        return None
    declared = "true" if read.negative is None else f"({' OR '.join(map(str, known))})"
    return [str(known[0]), *([declared] if kinds.declared else [])]


def _cell(name: str, field: Number | Integer) -> str:
    """The SQL of a cell: how many borders are not above the value, which halving finds."""
    value, borders = f"CAST({name} AS double)", field.borders.tolist()
    cell = _halved(value, borders, field.extra)
    return f"CASE WHEN {name} IS NULL OR isnan({value}) THEN 0 ELSE {cell} END"


def _halved(value: str, borders: Sequence[float], first: int) -> str:
    if not borders:
        return str(first)
    middle = len(borders) // 2
    above = _halved(value, borders[middle + 1 :], first + middle + 1)
    below = _halved(value, borders[:middle], first)
    border = f"CAST('{borders[middle]!r}' AS double)"
    return f"CASE WHEN {value} >= {border} THEN {above} ELSE {below} END"
