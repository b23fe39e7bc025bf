"""Synthetic rows as tables: declared types, files, and the record in a release."""

import base64
import zlib

import numpy as np
import pyarrow.feather
import pyarrow.parquet as pq
import pytest

from tacit.core import BadInput
from tacit.domains import Schema
from tacit.problems.marginals.table import _LONG, SyntheticRows, rows_from_dict

SCHEMA = Schema.of(
    {
        "age": (0, 120),
        "stays": range(3, 60),
        "ward": ("north", "south"),
        "code": (1, 5, 7),
        "smoker": bool,
        "day": {"kind": "date", "low": "2019-02-03", "high": "2024-12-31"},
        "share": {"kind": "number", "low": 0, "high": 1, "cuts": ["0.1", "0.25"]},
        "grade": {"kind": "category", "values": ["u", "v"], "missing": "own"},
        "rooms": {"kind": "integer", "low": 0, "high": 4, "complete": True},
    }
)


def made(rows=3000):
    rng = np.random.default_rng(0)
    cells = [rng.integers(0, count, rows) for count in SCHEMA.cells]
    return SyntheticRows(SCHEMA, np.stack(cells, axis=1).astype(np.int32))


def test_every_value_falls_into_its_cell_again():
    table = made()
    again = SCHEMA.coerce(table.to_arrow())
    assert np.array_equal(again, table.cells)


def test_columns_have_the_declared_types():
    kinds = {one.name: str(one.type) for one in made(5).to_arrow().schema}
    assert kinds == {
        "age": "double",
        "stays": "int64",
        "ward": "string",
        "code": "int64",
        "smoker": "bool",
        "day": "date32[day]",
        "share": "double",
        "grade": "string",
        "rooms": "int64",
    }


def test_values_fill_their_cells_evenly_and_stay_in_range():
    cells = np.zeros((900, 9), dtype=np.int32) + 2
    frame = SyntheticRows(SCHEMA, cells).to_pandas()
    assert frame["age"].between(7.5, 15).all()
    inside = ((frame["age"] - 7.5) / 7.5 * 10).astype(int).value_counts()
    assert inside.between(80, 100).all()
    assert made().to_pandas()["day"].min().isoformat() == "2019-02-03"
    assert made().to_pandas()["stays"].max() <= 59


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".arrow", ".feather"])
def test_files_hold_the_table(tmp_path, suffix):
    table = made(50)
    path = tmp_path / f"t{suffix}"
    table.write(path)
    if suffix == ".parquet":
        assert pq.read_table(path).equals(table.to_arrow())
    elif suffix == ".csv":
        assert len(path.read_text().splitlines()) == 51
    else:
        assert pyarrow.feather.read_table(path).equals(table.to_arrow())
    with pytest.raises(BadInput, match="written as"):
        table.write(tmp_path / "t.txt")


def test_a_record_is_read_back_or_refused():
    table = made(40)
    record = table.to_dict()
    assert rows_from_dict(record) == table
    spoiled = [
        {"rows": 41},
        {"rows": -1},
        {"rows": True},
        {"cells": record["cells"][:-8]},
        {"cells": "no base 64"},
        {"digest": "0" * 64},
        {"kind": "synthetic"},
        {"schema": Schema.of({"a": bool}).to_dict()},
        {"rows": 10**12},
    ]
    for change in spoiled:
        with pytest.raises(BadInput, match="damaged"):
            rows_from_dict(record | change)


def test_two_threads_pack_one_stream_that_is_read_back_or_refused():
    table = made(_LONG // (2 * SCHEMA.width) + 1)
    assert len(table.cells.astype("<u2").tobytes()) > _LONG > len(made().cells.tobytes())
    record = table.to_dict()
    packed = base64.b64decode(record["cells"])
    assert zlib.decompress(packed) == table.cells.astype("<u2").tobytes()  # its checksum, too
    assert rows_from_dict(record) == table
    for spoiled in (packed[:-1], packed[:-4] + bytes(4), packed[: len(packed) // 2]):
        with pytest.raises(BadInput, match="damaged"):
            rows_from_dict(record | {"cells": base64.b64encode(spoiled).decode()})


def test_nothing_but_names_is_in_a_repr():
    assert repr(made(3)).startswith("SyntheticRows(3 rows, Schema(age: number")
    assert "spread evenly" in made(3).describe()
