"""Records on and around every border of their cells, and the schema of these."""

import numpy as np
import pyarrow as pa

from tacit.domains.fields import Integer, Number
from tacit.domains.schema import Schema

ODD = Number(low=-1, high=1, edges=("-1/3", 0, "1/10", "1/3", 5), missing="own")
HALVES = Number(low=0, high=1, bins=16)
"""Cells whose borders are whole numbers of steps."""
TENTHS = Number(low=0, high=1, bins=10)
"""Cells of which two borders, as floats, are not."""
SCHEMA = Schema(
    ("narrow", 'a `wide` "one"', "whole", "halves", "tenths"),
    (
        Number(low=0, high=1, bins=7),
        ODD,
        Integer(low=0, high=2**60, edges=(0, 3, 2**53 + 2)),
        HALVES,
        TENTHS,
    ),
)


def near(borders):
    """The borders themselves and the floats next to them."""
    return [*borders, *np.nextafter(borders, -np.inf), *np.nextafter(borders, np.inf)]


def records(rows=3000, label=None):
    """Values on and around every border, and all that is no number of the domain."""
    rng = np.random.default_rng(4)
    strange = [float("nan"), float("inf"), float("-inf"), -0.0, 0.0, 5e-324, None]
    narrow = [*map(np.float32, [*near(SCHEMA.fields[0].borders), 1e30]), *strange]
    wide = [*near(ODD.borders), *strange]
    whole = [0, -1, 2, 3, 2**53, 2**53 + 1, 2**53 + 2, 2**53 + 3, 2**63 - 1, -(2**63), None]
    even = [[*near(field.borders), *strange] for field in (HALVES, TENTHS)]
    given = [(narrow, pa.float32()), (wide, pa.float64()), (whole, pa.int64())]
    columns = [
        pa.array([values[i] for i in rng.integers(0, len(values), rows)], kind)
        for values, kind in [*given, *((values, pa.float64()) for values in even)]
    ]
    labels = pa.array([[0, 1, 2, -1, None][i] for i in rng.integers(0, 5, rows)], pa.int32())
    return pa.table([*columns, labels if label is None else label], names=[*SCHEMA.names, "y"])
