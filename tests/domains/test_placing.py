"""Text is placed the quick way exactly as cell by cell."""

import sys
from types import ModuleType

import numpy as np
from tests.domains.texts_cases import _columns

from tacit.domains.labels import equals
from tacit.domains.placing import as_floats, place_ordered
from tacit.domains.texts import place_numbers, place_texts


def test_numbers_and_labels_are_read_as_cell_by_cell():
    for values, column in _columns():
        held = np.array([*values, None], dtype=object)[:-1]
        assert np.array_equal(place_numbers(column, as_floats), as_floats(held), equal_nan=True)
        for positive in (1, "1", "a", True, 0.1, "yes"):
            slow = equals(held, positive)
            assert np.array_equal(place_texts(column, lambda v, p=positive: equals(v, p)), slow)


def test_columns_are_placed_while_another_thread_loads_the_loops(monkeypatch):
    name = "tacit.domains.kernels"
    monkeypatch.setitem(sys.modules, name, ModuleType(name))  # as it is found then
    placed = place_ordered(np.array([0.5, np.nan, 2.0]), np.array([1.0]), extra=1)
    assert placed.tolist() == [1, 0, 2]
