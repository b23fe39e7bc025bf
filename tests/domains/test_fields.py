"""Tests of ``tacit.domains.fields``."""

import numpy as np

from tacit.domains.fields import Boolean, Category, Integer, Number


def test_values_are_clamped_and_missing_ones_have_a_public_place():
    field = Number(low=0, high=10, bins=5, complete=True)
    odd = np.array([-3, 0, 1.99, 2, 9.99, 10, 1e300, np.inf, -np.inf, np.nan])
    assert field.place(odd).tolist() == [0, 0, 0, 1, 4, 4, 4, 4, 0, 0]
    told = Number(low=0, high=10, bins=5)
    assert told.place(odd).tolist() == [1, 1, 1, 2, 5, 5, 5, 5, 1, 0]
    mixed = np.array([None, "3", "word", object(), 2**2000, True, 7.5], dtype=object)
    assert told.place(mixed).tolist() == [0, 2, 0, 0, 5, 1, 4]
    own = Number(low=0, high=10, bins=5, missing="own")
    assert own.place(odd).tolist() == [2, 2, 2, 3, 6, 6, 6, 6, 2, 0]
    assert own.place(mixed).tolist() == [0, 3, 1, 1, 6, 2, 5]
    listed = np.array(["2", 2, "a", None, []], dtype=object)
    for given, places in (
        ({}, [2, 2, 1, 0, 0]),
        ({"missing": "own"}, [3, 3, 2, 0, 1]),
        ({"complete": True}, [1, 1, 0, 0, 0]),
    ):
        assert Category(values=("a", 2), **given).place(listed).tolist() == places
    truths = np.array(["yes", 0, None, "False", 5, "maybe", 1.0], dtype=object)
    for given, places in (
        ({}, [2, 1, 0, 1, 0, 0, 2]),
        ({"missing": "own"}, [3, 2, 0, 2, 1, 1, 3]),
        ({"complete": True}, [1, 0, 0, 0, 0, 0, 1]),
    ):
        assert Boolean(**given).place(truths).tolist() == places
    assert Integer(low=-2, high=2).place(np.array([-5, -2, 0, 2, 9])).tolist() == [1, 1, 3, 5, 5]


def test_wide_integers_share_cells_evenly():
    field = Integer(low=0, high=99, bins=10)
    cells = field.place(np.arange(100))
    assert np.bincount(cells).tolist() == [0] + [10] * 10
