"""Rows of whole numbers of any length: every value has a place."""

import numpy as np
import pytest

from tacit.core import BadInput
from tacit.domains.rows import Rows


def test_every_value_has_a_place():
    rows = Rows(bits=2, width=2)
    assert rows.coerce([[3.7, -1], ["a", None], [float("inf"), 2]]).tolist() == [
        [3, 0],
        [0, 0],
        [3, 2],
    ]
    assert rows.size == 16
    assert rows.coerce(np.zeros((0, 2))).shape == (0, 2)
    assert Rows(bits=3, width=1).coerce([1, 9]).tolist() == [[1], [7]]


def test_long_numbers_stay_whole():
    top = (1 << 64) - 1
    assert Rows(bits=64, width=2).coerce([[top, 5], [top + 1, -1]]).tolist() == [[top, 5], [top, 0]]
    long = Rows(bits=100, width=1)
    assert long.coerce([[1 << 80], [1 << 200]]).tolist() == [[1 << 80], [(1 << 100) - 1]]
    with pytest.raises(BadInput, match="2 columns"):
        Rows(bits=64, width=2).coerce([1, 2])
