"""Tests of ``tacit.domains.bits``."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.domains.domains_total_cases import GARBAGE

from tacit.domains import Bits

pytestmark = pytest.mark.property


@given(rows=st.lists(st.lists(GARBAGE, min_size=5, max_size=5), max_size=6))
def test_bits_are_total(rows):
    table = np.empty((len(rows), 5), dtype=object)
    for r, row in enumerate(rows):
        for c, value in enumerate(row):
            table[r, c] = value
    cells = Bits(columns=5).coerce(table)
    assert len(cells) == len(rows)
    for row, cell in zip(rows, cells.tolist(), strict=True):
        for place, value in enumerate(row):
            bit = cell >> (4 - place) & 1
            if type(value) in (bool, int, float):
                assert bit == (value == 1)
            if value is None:
                assert bit == 0


@pytest.mark.parametrize("length", [1, 7, 8, 9, 64, 65, 200])
def test_bits_spell_integers(length):
    rng = np.random.default_rng(length)
    table = rng.integers(0, 2, size=(20, length))
    expected = [int("".join(map(str, row)), 2) for row in table.tolist()]
    assert Bits(columns=length).coerce(table).tolist() == expected
    assert Bits(columns=length).coerce(table.astype(bool)).tolist() == expected
    if length > 1:
        assert Bits(columns=length).coerce(np.array(expected, dtype=object)).tolist() == expected


@given(entries=st.lists(GARBAGE, min_size=1, max_size=5), other=GARBAGE)
def test_a_longer_row_moves_no_other_one(entries, other):
    rows = np.empty(len(entries) + 1, dtype=object)
    for place, value in enumerate(entries):
        rows[place] = [value]
    rows[-1] = [other]
    one = Bits(columns=1).coerce(rows).tolist()
    rows[-1] = [other, other]
    assert Bits(columns=1).coerce(rows).tolist()[:-1] == one[:-1]
