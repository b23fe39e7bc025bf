"""Tests of ``tacit.domains.integers``."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.domains.domains_total_cases import COLUMNS, PLAIN, _column

from tacit.domains import Integers

pytestmark = pytest.mark.property

DOMAINS = [
    Integers(bits=1),
    Integers(size=10),
    Integers(bits=53),
    Integers(size=2**63 + 5),
    Integers(bits=64),
    Integers(bits=1000),
]


@pytest.mark.parametrize("domain", DOMAINS, ids=lambda domain: domain.describe()[:12])
@given(values=COLUMNS)
def test_any_object_has_a_place_of_its_own(domain, values):
    cells = domain.coerce(_column(values))
    assert len(cells) == len(values)
    assert all(0 <= int(cell) < domain.size for cell in cells)
    alone = [int(domain.coerce(_column([value]))[0]) for value in values]
    assert [int(cell) for cell in cells] == alone


@pytest.mark.parametrize("domain", DOMAINS, ids=lambda domain: domain.describe()[:12])
@given(values=st.lists(PLAIN, min_size=1, max_size=8))
def test_a_list_is_read_one_record_at_a_time(domain, values):
    """numpy would give a list one type, so that one record could change how all are read."""
    assert domain.coerce(values).tolist() == [domain.coerce([v]).tolist()[0] for v in values]


@pytest.mark.parametrize("other", [0, True, 0.5, "word", None, 2**63, -(2**63) - 1, 2**70])
@pytest.mark.parametrize("size", [1, 3, 200, 2**31, 2**63 - 1, 2**63, 2**63 + 5, 2**64, 2**70])
def test_a_list_of_whole_numbers_is_clamped_alike_whoever_else_is_there(size, other):
    values = [-(2**63), -1, 0, 1, 2, 199, 2**31, 2**63 - 2, 2**63 - 1]
    expected = [min(max(value, 0), size - 1) for value in values]
    domain = Integers(size=size)
    assert domain.coerce(values).tolist() == expected
    assert domain.coerce([*values, other]).tolist()[:-1] == expected


@pytest.mark.parametrize(
    "column",
    [
        pl.Series([2**60 + 1, None]),
        pa.chunked_array([pa.array([2**60 + 1, None])]),
        pd.Series([2**60 + 1, None], dtype="Int64"),
    ],
    ids=["polars", "pyarrow", "pandas"],
)
def test_a_gap_does_not_round_the_other_records(column):
    assert Integers(bits=64).coerce(column).tolist() == [2**60 + 1, 0]


@pytest.mark.parametrize("kind", [np.int8, np.int16, np.int32, np.int64])
@pytest.mark.parametrize("size", [1, 3, 200, 2**31, 2**63 - 1, 2**63, 2**63 + 5, 2**64, 2**70])
def test_signed_arrays_are_clamped_alike_whoever_else_is_there(kind, size):
    info, domain = np.iinfo(kind), Integers(size=size)
    values = [info.min, -1, 0, 1, info.max]
    expected = [min(max(value, 0), size - 1) for value in values]
    assert domain.coerce(np.array(values, dtype=kind)).tolist() == expected
    alone = [int(domain.coerce(np.array([value], dtype=kind))[0]) for value in values]
    assert alone == expected


@pytest.mark.parametrize("kind", [np.uint8, np.uint64, bool])
@pytest.mark.parametrize("size", [1, 2, 200, 2**63 + 5, 2**64, 2**70])
def test_unsigned_arrays_are_clamped(kind, size):
    top = 1 if kind is bool else np.iinfo(kind).max
    values = [0, 1, top]
    expected = [min(value, size - 1) for value in values]
    assert Integers(size=size).coerce(np.array(values, dtype=kind)).tolist() == expected


@pytest.mark.parametrize("size", [1, 10, 2**53, 2**60, 2**64, 2**1000])
@given(values=st.lists(st.floats(), max_size=10))
def test_floats_are_rounded_down_and_clamped(size, values):
    cells = Integers(size=size).coerce(np.array(values, dtype=np.float64)).tolist()
    for value, cell in zip(values, cells, strict=True):
        if math.isnan(value) or value < 0:
            assert cell == 0
        elif math.isinf(value):
            # nan_to_num puts infinity at the largest float, which is above most domains.
            assert cell == min(size - 1, int(np.finfo(np.float64).max))
        else:
            assert cell == min(math.floor(value), size - 1)


def test_odd_floats_are_silent():
    """No warning may tell that such a record was there; here a warning is an error."""
    signalling = np.frombuffer(np.uint64(0x7FF0000000000001).tobytes(), dtype=np.float64)
    assert Integers(bits=8).coerce(signalling).tolist() == [0]
    wide = np.array([np.longdouble("1e4000"), np.longdouble(3)])
    assert Integers(bits=8).coerce(wide).tolist() == [255, 3]
    assert Integers(bits=8).coerce(np.array([1.5, np.nan], dtype=np.float16)).tolist() == [1, 0]


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        ("12", 12),
        (" 7 ", 7),
        ("3.9", 3),
        ("x", 0),
        (b"5", 5),
        (Decimal("6.9"), 6),
        (Decimal("NaN"), 0),
        (Decimal("Infinity"), 255),
        (Fraction(29, 2), 14),
        (10**400, 255),
        ("1e999", 255),
        (1 + 2j, 0),
    ],
)
def test_where_some_values_go(value, cell):
    assert Integers(bits=8).coerce(_column([value])).tolist() == [cell]
