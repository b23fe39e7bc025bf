"""Every value has a place, silently, and no record moves another."""

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

from tacit.core import BadInput, Sample
from tacit.domains import Bits, Categories, Integers
from tacit.domains.columns import as_array
from tacit.domains.labels import truth


class Hostile:
    """Fails whatever it is asked."""

    def _fail(self, *_):
        raise RuntimeError("private: 4711")

    __int__ = __float__ = __index__ = __eq__ = __str__ = __bool__ = _fail

    def __hash__(self):
        raise RuntimeError("private: 4711")

    def __repr__(self):
        return "hostile"


GARBAGE = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.integers(min_value=-(2**5000), max_value=2**5000),
    st.floats(),
    st.text(max_size=6),
    st.binary(max_size=4),
    st.decimals(allow_nan=True, allow_infinity=True),
    st.fractions(),
    st.complex_numbers(),
    st.sampled_from(
        [
            pd.NA,
            pd.NaT,
            np.nan,
            np.float32("inf"),
            np.datetime64("NaT"),
            "9" * 5000,
            "1e999",
            {},
            set(),
        ]
    ),
    st.builds(Hostile),
)
COLUMNS = st.lists(GARBAGE, max_size=12)
DOMAINS = [
    Integers(bits=1),
    Integers(size=10),
    Integers(bits=53),
    Integers(size=2**63 + 5),
    Integers(bits=64),
    Integers(bits=1000),
]


def _column(values):
    """An object column, filled one by one (numpy would look into nested values)."""
    column = np.empty(len(values), dtype=object)
    for place, value in enumerate(values):
        column[place] = value
    return column


@pytest.mark.parametrize("domain", DOMAINS, ids=lambda domain: domain.describe()[:12])
@given(values=COLUMNS)
def test_any_object_has_a_place_of_its_own(domain, values):
    cells = domain.coerce(_column(values))
    assert len(cells) == len(values)
    assert all(0 <= int(cell) < domain.size for cell in cells)
    alone = [int(domain.coerce(_column([value]))[0]) for value in values]
    assert [int(cell) for cell in cells] == alone


PLAIN = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**70), 2**70), st.floats(), st.text(max_size=4)
)


@pytest.mark.parametrize("domain", DOMAINS, ids=lambda domain: domain.describe()[:12])
@given(values=st.lists(PLAIN, min_size=1, max_size=8))
def test_a_list_is_read_one_record_at_a_time(domain, values):
    """numpy would give a list one type, so that one record could change how all are read."""
    assert domain.coerce(values).tolist() == [domain.coerce([v]).tolist()[0] for v in values]


@given(st.lists(PLAIN, min_size=1, max_size=8), st.sampled_from([1, True, "yes", 0, 2.5, None]))
def test_a_label_is_read_by_itself(labels, positive):
    together = truth(Sample([0] * len(labels), labels, positive)).tolist()
    assert together == [truth(Sample([0], [label], positive)).tolist()[0] for label in labels]


def test_the_cases_that_numpy_gets_wrong():
    big = 2**63 + 1
    for other in (-1, 0.5, "x", None, True):
        assert int(Integers(bits=64).coerce([big, other])[0]) == big
    assert truth(Sample([0] * 3, [True, False, "x"])).tolist() == [True, False, False]
    assert Bits(2).coerce([[True, False], ["x", 1]]).tolist() == [2, 1]


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


@given(rows=st.lists(st.lists(GARBAGE, min_size=5, max_size=5), max_size=6))
def test_bits_are_total(rows):
    table = np.empty((len(rows), 5), dtype=object)
    for r, row in enumerate(rows):
        for c, value in enumerate(row):
            table[r, c] = value
    cells = Bits(5).coerce(table)
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
    assert Bits(length).coerce(table).tolist() == expected
    assert Bits(length).coerce(table.astype(bool)).tolist() == expected
    if length > 1:
        assert Bits(length).coerce(np.array(expected, dtype=object)).tolist() == expected


@given(values=COLUMNS)
def test_categories_are_total(values):
    domain = Categories(["none", 1, "x", None])
    cells = domain.coerce(_column(values)).tolist()
    assert all(0 <= cell < 4 for cell in cells)
    assert cells == [int(domain.coerce(_column([value]))[0]) for value in values]


def test_undeclared_categories_are_the_first():
    domain = Categories(["no", "yes"])
    assert domain.coerce(["yes", "maybe", None, ([1],), Hostile()]).tolist() == [1, 0, 0, 0, 0]


@given(labels=COLUMNS, positive=st.sampled_from([1, "yes", True, 2.5]))
def test_labels_are_total(labels, positive):
    found = truth(Sample([0] * len(labels), _column(labels), positive))
    assert found.dtype == bool
    assert len(found) == len(labels)


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.float32, np.int64, bool])
def test_number_labels_of_any_type_agree(kind):
    labels = np.array([0, 1, 1, 0], dtype=kind)
    for positive in (1, True, 1.0, np.int64(1)):
        assert truth(Sample(range(4), labels, positive)).tolist() == [False, True, True, False]
    for absent in (10**30, 10**400, -7):
        assert not truth(Sample(range(4), labels, absent)).any()


@pytest.mark.parametrize("domain", [Integers(bits=4), Categories("ab"), Bits(3)])
def test_only_shapes_are_refused(domain):
    for shape in ((2, 2), (2, 2, 2), ()):
        with pytest.raises(BadInput, match="column"):
            domain.coerce(np.zeros(shape))


def test_labels_need_one_column():
    assert truth(Sample([0], np.array([[1]]))).tolist() == [True]
    with pytest.raises(BadInput, match="one label"):
        truth(Sample([0, 1], np.zeros((2, 2))))


def test_ragged_rows_do_not_break_out():
    assert as_array([[1], [1, 2]]).ndim == 1
    with pytest.raises(BadInput, match="equal length"):
        as_array([np.zeros((2, 2)), np.zeros((2, 3))])


@pytest.mark.parametrize(
    "make",
    [
        lambda: Integers(),
        lambda: Integers(bits=3, size=8),
        lambda: Integers(bits=0),
        lambda: Integers(bits=4097),
        lambda: Integers(size=2**4096 + 1),
        lambda: Integers(size=0),
        lambda: Integers(bits="many"),
        lambda: Bits(0),
        lambda: Bits(5000),
        lambda: Categories([]),
        lambda: Categories(["a", "a"]),
    ],
)
def test_domains_refuse_bad_public_numbers(make):
    with pytest.raises(BadInput):
        make()


def test_sizes_and_words():
    assert Integers(bits=4096).size == 2**4096
    assert Integers(size=1).bits == 1
    assert Integers(bits=64).fits_a_word
    assert not Integers(size=2**64 + 1).fits_a_word
    assert (Bits(9).size, Bits(9).bits, Bits(64).fits_a_word) == (512, 9, True)
    assert Categories("abc").bits == 2
    assert "2^64" in Integers(bits=64).describe()
    assert Integers(size=10).describe() == "0..9"
