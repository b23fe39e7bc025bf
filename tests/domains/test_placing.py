"""Text is placed the quick way exactly as cell by cell."""

import numpy as np
from tests.domains.texts_cases import _columns

from tacit.domains.labels import equals
from tacit.domains.placing import as_floats
from tacit.domains.texts import place_numbers, place_texts


def test_numbers_and_labels_are_read_as_cell_by_cell():
    for values, column in _columns():
        held = np.array([*values, None], dtype=object)[:-1]
        assert np.array_equal(place_numbers(column, as_floats), as_floats(held), equal_nan=True)
        for positive in (1, "1", "a", True, 0.1, "yes"):
            slow = equals(held, positive)
            assert np.array_equal(place_texts(column, lambda v, p=positive: equals(v, p)), slow)
