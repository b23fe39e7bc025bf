"""From cells back to values: every value lies in the cell that it was made from."""

from datetime import date

import numpy as np
import pytest

from tacit.domains import Schema
from tacit.problems.marginals.values import column_of

SCHEMA = Schema.of(
    {
        "age": (0, 120),
        "visits": range(40),
        "job": ("nurse", "cook"),
        "smoker": bool,
        "seen": (date(2020, 1, 1), date(2024, 12, 31)),
    }
)


@pytest.mark.parametrize("place", range(5), ids=SCHEMA.names)
def test_values_come_back_to_their_cells(place):
    field = SCHEMA.fields[place]
    cells = np.tile(np.arange(field.cells, dtype=np.int32), 50)
    column = column_of(field, cells)
    assert len(column) == len(cells)
    assert column.null_count == 50 * field.extra
    back = field.place(np.array(column.to_pylist(), dtype=object))
    assert back.tolist() == cells.tolist()


def test_values_of_one_cell_are_spread_over_it():
    field = SCHEMA.fields[0]
    values = column_of(field, np.full(100, field.extra, dtype=np.int32)).to_pylist()
    assert len(set(values)) > 50


@pytest.mark.parametrize(
    "declared",
    [
        {"kind": "integer", "low": 0, "high": 99, "cuts": [50, 200]},
        {"kind": "integer", "low": 0, "high": 99, "cuts": [-40, 50]},
        {"kind": "number", "low": 0, "high": 99, "cuts": [-3.5, 50, 150.25]},
        {
            "kind": "date",
            "low": "2020-01-01",
            "high": "2020-12-31",
            "cuts": ["2020-06-01", "2022-01-01"],
        },
    ],
)
def test_no_value_lies_beyond_the_declared_ends(declared):
    field = Schema.of({"x": declared}).fields[0]
    cells = np.repeat(np.arange(field.extra, field.cells, dtype=np.int32), 300)
    values = column_of(field, cells).to_pylist()
    assert field.low <= min(values)
    assert max(values) <= field.high
    inside = field.place(np.array(values, dtype=object)) == cells
    assert inside.mean() > 0.4  # a cell that lies beyond them has none of its own
