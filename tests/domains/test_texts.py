"""Text is placed the quick way exactly as cell by cell."""

import numpy as np
import pytest
from tests.domains.texts_cases import _columns

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
