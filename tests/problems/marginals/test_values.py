"""From cells back to values: every value lies in the cell that it was made from."""

from datetime import date

import numpy as np
import pytest

import tacit
from tacit.core import BadInput
from tacit.domains import Schema
from tacit.problems.marginals.values import check_decimals, column_of
from tacit.queries import Marginals

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


@pytest.mark.parametrize("decimals", [1, 2, 5])
@pytest.mark.parametrize("cells", [{"bins": 7}, {"bins": 10}, {"cuts": ["0.1", "0.3", "0.7"]}])
def test_values_have_the_declared_digits_and_lie_in_their_cells(cells, decimals):
    schema = Schema.of({"x": {"kind": "number", "low": 0, "high": 1, "decimals": decimals} | cells})
    check_decimals(schema)
    field = schema.fields[0]
    of_cells = np.repeat(np.arange(field.extra, field.cells, dtype=np.int32), 200)
    values = column_of(field, of_cells).to_pylist()
    assert [round(value, decimals) for value in values] == values
    assert field.place(np.array(values, dtype=object)).tolist() == of_cells.tolist()
    assert len(set(values)) >= field.declared
    assert Schema.of(schema.to_dict()) == schema


def test_borders_that_floats_miss_belong_to_the_upper_cell():
    cuts = [f"{k}.{d}" for k in range(3) for d in range(10)][1:]
    declared = {"kind": "number", "low": 0, "high": 3, "cuts": cuts, "decimals": 1}
    field = Schema.of({"x": declared}).fields[0]
    cells = np.arange(field.extra, field.cells, dtype=np.int32)
    values = column_of(field, cells).to_pylist()
    assert values == [0.0, *map(float, cuts)]


@pytest.mark.parametrize(
    ("declared", "words"),
    [
        ({"low": 0, "high": 1, "bins": 16, "decimals": 1}, "leaves a cell of the column 'x'"),
        ({"low": 0, "high": 10**9, "decimals": 12}, "more digits than its numbers hold"),
    ],
)
def test_digits_that_fit_no_cell_are_refused_before_the_charge(declared, words):
    schema = Schema.of({"x": {"kind": "number"} | declared, "y": bool})
    ledger = tacit.Ledger.memory(1)
    with pytest.raises(BadInput, match=words):
        tacit.sanitize(
            [[0.5, True]] * 30,
            Marginals(schema, ways=2),
            privacy=tacit.Privacy(1),
            ledger=ledger,
        )
    assert "spent: nothing" in str(ledger)


@pytest.mark.parametrize("decimals", [-1, 13, 1.5, "two", True])
def test_decimals_are_a_small_whole_number(decimals):
    with pytest.raises(BadInput, match="decimals"):
        Schema.of({"x": {"kind": "number", "low": 0, "high": 1, "decimals": decimals}})
