"""Kinds of records counted by a server: only the counts travel, and no record.

Only columns of numbers are placed by SQL, by the very borders of their cells: a value is compared
with floats, or divided as floats are everywhere, which was tried at every border. What is
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
_WORTH_STEPS = 4
"""Borders at least, from which a division is faster than halving them."""
_LEAST_STEP = 1e-300
_MOST_WRONG = 2
"""Borders that are compared with besides the division."""
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
    """The SQL of a cell: how many borders are not above the value."""
    value, borders = f"CAST({name} AS double)", field.borders.tolist()
    cell = _stepped(value, borders, field.extra) or _halved(value, borders, field.extra)
    return f"CASE WHEN {name} IS NULL OR isnan({value}) THEN 0 ELSE {cell} END"


def _stepped(value: str, borders: Sequence[float], first: int) -> str | None:
    """The same from the number of steps since the first border, where borders are even.

    No engine rounds a difference or a quotient out of order. So if borders, and the floats just
    below them, have the right number of steps, then so has what lies between; a border that has
    not is compared with besides. A processor foresees no turn of halving, and a division has none.
    """
    if len(borders) < _WORTH_STEPS:
        return None
    at, number = np.array(borders), np.arange(len(borders))
    step = (borders[-1] - borders[0]) / (len(at) - 1)
    if step < _LEAST_STEP:  # also where floats do not tell the borders apart
        return None
    there, below = (np.floor((one - at[0]) / step) for one in (at, np.nextafter(at, -np.inf)))
    wrong = number[1:][(there != number)[1:] | (below != number - 1)[1:]].tolist()
    if len(wrong) > _MOST_WRONG:
        return None
    cell = f"CAST(floor(({value} - {_float(borders[0])}) / {_float(step)}) AS int)"
    for one in wrong:
        above = f"CASE WHEN {value} >= {_float(borders[one])} THEN"
        least, most = f"{above} {one} ELSE 0 END", f"{above} {len(at)} ELSE {one - 1} END"
        cell = f"LEAST(GREATEST({cell}, {least}), {most})"
    return (
        f"CASE WHEN {value} >= {_float(borders[-1])} THEN {first + len(at)} "
        f"WHEN {value} >= {_float(borders[0])} THEN {first + 1} + {cell} ELSE {first} END"
    )


def _halved(value: str, borders: Sequence[float], first: int) -> str:
    if not borders:
        return str(first)
    middle = len(borders) // 2
    above = _halved(value, borders[middle + 1 :], first + middle + 1)
    below = _halved(value, borders[:middle], first)
    return f"CASE WHEN {value} >= {_float(borders[middle])} THEN {above} ELSE {below} END"


def _float(number: float) -> str:
    return f"CAST('{number!r}' AS double)"
