"""Text is placed the quick way exactly as cell by cell."""

import re
import sys
from types import ModuleType

import numpy as np
import pyarrow as pa
import pytest
from tests.domains.texts_cases import TEXTS, _columns

from tacit.domains import texts
from tacit.domains.schema import Schema
from tacit.domains.texts import place_column

FIELDS = {
    "number": {"kind": "number", "low": -2, "high": 3, "bins": 7},
    "own missing": {"kind": "number", "low": -2, "high": 3, "bins": 7, "missing": "own"},
    "integer": {"kind": "integer", "low": -2, "high": 9},
    "category": {"kind": "category", "values": ["a", "1", "yes", 2.5], "missing": "own"},
    "boolean": {"kind": "boolean"},
    "date": {"kind": "date", "low": "2024-01-01", "high": "2024-12-31"},
}


@pytest.mark.parametrize("kind", FIELDS)
def test_fields_place_text_as_cell_by_cell(kind):
    field = Schema.of({"x": FIELDS[kind]}).fields[0]
    for values, column in _columns():
        slow = field.place(np.array([*values, None], dtype=object)[:-1])
        assert np.array_equal(place_column(field, column), slow)


@pytest.mark.parametrize("storage", ["python", "pyarrow"])
@pytest.mark.parametrize("kind", FIELDS)
def test_text_of_pandas_is_placed_as_cell_by_cell(kind, storage):
    pd = pytest.importorskip("pandas")
    schema = Schema.of({"x": FIELDS[kind]})
    column = pd.Series([*TEXTS, *TEXTS[::-1]], dtype=pd.StringDtype(storage))
    assert texts.is_text(texts.held_text(column)) is (storage == "pyarrow")
    values = np.array([None if value is pd.NA else value for value in column], dtype=object)
    placed = schema.coerce(pd.DataFrame({"x": column}))
    assert np.array_equal(placed[:, 0], schema.fields[0].place(values))


@pytest.mark.parametrize("kind", FIELDS)
def test_numbers_read_by_the_compiled_loop_are_those_of_python(kind):
    texts.prepare()
    field = Schema.of({"x": FIELDS[kind]}).fields[0]
    for values, column in _columns():
        slow = field.place(np.array([*values, None], dtype=object)[:-1])
        assert np.array_equal(place_column(field, column), slow)


def test_the_compiled_loop_reads_short_plain_decimals_and_no_other():
    rng = np.random.default_rng(3)
    made = [
        f"{'-' * int(rng.integers(0, 2))}{rng.integers(0, 10 ** int(rng.integers(1, 16)))}"
        f"{'.' * int(rng.integers(0, 2))}{rng.integers(0, 10 ** int(rng.integers(1, 9)))}"
        for _ in range(3000)
    ]
    made += [*TEXTS, "-", "--1", "1..2", "1.2.3", "-.5", "5.", "000000000000001", "1" * 16, "-0.0"]
    column = pa.array([*made, "7"], pa.string())[: len(made)]
    numbers, plain = texts._read_plain(column)
    for text, number, was in zip(made, numbers, plain, strict=True):
        digits = len((text or "").replace(".", "").lstrip("-"))
        assert was == bool(re.fullmatch(texts._PLAIN, text or "") and digits < 16), text
        if was:
            assert np.float64(number).tobytes() == np.float64(text).tobytes()
    assert plain.sum() > 1000
    sliced, whole = column[5:90], texts._read_plain(column)[0]
    assert np.array_equal(texts._read_plain(sliced)[1], plain[5:90])
    assert np.array_equal(texts._read_plain(sliced)[0][plain[5:90]], whole[5:90][plain[5:90]])


def test_columns_are_placed_while_another_thread_loads_pandas(monkeypatch):
    column = np.array([0.5, 2.0])
    schema, frame = Schema.of({"x": (0, 3)}, bins=3), pa.table({"x": column})
    monkeypatch.setitem(sys.modules, "pandas", ModuleType("pandas"))  # as it is found then
    assert texts.held_text(column) is column
    assert schema.coerce(frame).ravel().tolist() == [1, 3]
