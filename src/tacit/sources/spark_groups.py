"""Groups that Spark counts, several keys in one row, so that the table of a worker stays short.

Spark finds a key fast in a table of some thousand rows; from 65536 rows on it takes several times
as long a record, since it leaves the table that it compiled for one of its own. So keys that
follow each other share a row, which has one count for each of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

_DENSE = 4
"""Bits of a key that its row leaves out, where nearly every key may occur."""
_SPARSE = 2
"""The same where most keys may have a row to themselves, whose other counts are in vain."""


def grouped(frame: DataFrame, key: str, *, most: int | None) -> pa.Table | None:
    """Count records by this SQL of a whole number from 0 on: rows ``key, n``.

    ``None`` if they are more than ``most``; without it the keys are dense.
    """
    from pyspark.sql.functions import expr

    bits = _DENSE if most is None else _SPARSE
    last = (1 << bits) - 1
    rows = frame.selectExpr(f"{key} AS key").groupBy(expr(f"shiftright(key, {bits}) AS row"))
    counts = (f"count(1) FILTER (WHERE (key & {last}) = {near})" for near in range(last + 1))
    counted = rows.agg(*(expr(f"{count} AS n{near}") for near, count in enumerate(counts)))
    found = apart((counted if most is None else counted.limit(most + 1)).toArrow(), bits)
    return found if most is None or found.num_rows <= most else None


def apart(rows: pa.Table, bits: int) -> pa.Table:
    """The keys of rows that share their leading bits, one a row, and their counts."""
    import pyarrow as pa

    first = rows.column("row").to_numpy().astype(np.int64) << bits
    counts = np.stack([rows.column(f"n{near}").to_numpy() for near in range(1 << bits)], axis=1)
    row, near = np.nonzero(counts)
    return pa.table({"key": first[row] + near, "n": counts[row, near]})
