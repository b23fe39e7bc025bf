"""Text is placed the quick way exactly as cell by cell."""

import numpy as np
import pyarrow as pa
import pytest

from tacit.domains.labels import equals
from tacit.domains.placing import as_floats
from tacit.domains.schema import Schema
from tacit.domains.texts import place_column, place_numbers, place_texts

TEXTS = [
    *("0", "1", "-1", "+1", "01", "1.0", "1.", ".5", "-0", "1e2", "1e999", "-1e999", "1_0", " 1 "),
    *(
        "nan",
        "NaN",
        "inf",
        "-inf",
        "Infinity",
        "true",
        "TRUE",
        "yes",
        "no",
        "",
        " ",
        "a",
        "a ",
        "ä",
    ),
    *("9007199254740993", "0.1", "2.675", "1" * 150, "0." + "3" * 150, "1" * 400, "0x10", "1,5"),
    *("4.9406564584124654e-324", "179769313486231580793", "2024-05-01", "\u0663", "\n1", "1\n"),
    *("123456789.123456789123456789", "0." + "0" * 190 + "1", "99999999999999999999.5", None),
]
FIELDS = {
    "number": {"kind": "number", "low": -2, "high": 3, "bins": 7},
    "own missing": {"kind": "number", "low": -2, "high": 3, "bins": 7, "missing": "own"},
    "integer": {"kind": "integer", "low": -2, "high": 9},
    "category": {"kind": "category", "values": ["a", "1", "yes", 2.5], "missing": "own"},
    "boolean": {"kind": "boolean"},
    "date": {"kind": "date", "low": "2024-01-01", "high": "2024-12-31"},
}


def _columns():
    many = [*TEXTS, *TEXTS[::-1], *TEXTS]
    yield many, pa.array(many, pa.string())
    yield many, pa.array(many, pa.large_string())
    yield many, pa.chunked_array([many[:20], many[20:21], [], many[21:]], pa.string())
    yield [], pa.array([], pa.string())
    yield [], pa.chunked_array([], pa.string())
    yield [None], pa.array([None], pa.string())
    yield ["1", "2.5"], pa.array(["1", "2.5"])


@pytest.mark.parametrize("kind", FIELDS)
def test_fields_place_text_as_cell_by_cell(kind):
    field = Schema.of({"x": FIELDS[kind]}).fields[0]
    for values, column in _columns():
        slow = field.place(np.array([*values, None], dtype=object)[:-1])
        assert np.array_equal(place_column(field, column), slow)


def test_numbers_and_labels_are_read_as_cell_by_cell():
    for values, column in _columns():
        held = np.array([*values, None], dtype=object)[:-1]
        assert np.array_equal(place_numbers(column, as_floats), as_floats(held), equal_nan=True)
        for positive in (1, "1", "a", True, 0.1, "yes"):
            slow = equals(held, positive)
            assert np.array_equal(place_texts(column, lambda v, p=positive: equals(v, p)), slow)
