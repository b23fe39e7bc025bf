"""Rows of whole numbers: every value has a place."""

import pytest

from tacit.core import BadInput
from tacit.domains.lattice import Lattice


def test_every_value_has_a_place():
    grid = Lattice(bits=2, width=2)
    assert grid.coerce([[3.7, -1], ["a", None], [float("inf"), 2]]).tolist() == [
        [3, 0],
        [0, 0],
        [3, 2],
    ]
    assert grid.rows().tolist() == [[a, b] for a in range(4) for b in range(4)]
    assert grid.size == 16
    with pytest.raises(BadInput, match="at most 20"):
        Lattice(bits=21, width=1)
