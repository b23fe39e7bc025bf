"""Tests of ``tacit.domains.categories``."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from tests.domains.domains_total_cases import COLUMNS, Hostile, _column

from tacit.core import BadInput
from tacit.domains import Bits, Categories, Integers
from tacit.domains.columns import as_array

pytestmark = pytest.mark.property


@given(values=COLUMNS)
def test_categories_are_total(values):
    domain = Categories(["none", 1, "x", None])
    cells = domain.coerce(_column(values)).tolist()
    assert all(0 <= cell < 4 for cell in cells)
    assert cells == [int(domain.coerce(_column([value]))[0]) for value in values]


def test_undeclared_categories_are_the_first():
    domain = Categories(["no", "yes"])
    odd = _column(["yes", "maybe", None, ([1],), Hostile()])
    assert domain.coerce(odd).tolist() == [1, 0, 0, 0, 0]


@pytest.mark.parametrize("domain", [Integers(bits=4), Categories("ab"), Bits(columns=3)])
def test_only_shapes_are_refused(domain):
    for shape in ((2, 2), (2, 2, 2), ()):
        with pytest.raises(BadInput, match="column"):
            domain.coerce(np.zeros(shape))


@pytest.mark.parametrize(
    "rows",
    [
        [[1], [1, 2]],
        [[1, 2], 1],
        [1, [1]],
        [None, (1, 2)],
        [np.zeros(2), np.zeros(3)],
    ],
    ids=str,
)
def test_a_list_that_is_neither_a_column_nor_rows_is_refused(rows):
    with pytest.raises(BadInput, match="equal length; nothing was charged"):
        as_array(rows)


def test_a_list_is_a_column_or_rows():
    assert as_array([1, None, "x", Hostile(), {2}, np.array(3)]).shape == (6,)
    assert as_array([[1, None], ("x", Hostile()), np.zeros(2)]).shape == (3, 2)
    assert as_array([pd.Series([1, 2]), pd.Series([3, 4])]).tolist() == [[1, 2], [3, 4]]
    assert as_array([[1, 2], [1, [2]]]).shape == as_array([[[1], 2], [1, [2]]]).shape == (2, 2)
    assert as_array([]).shape == (0,)
    assert as_array(range(3)).tolist() == [0, 1, 2]


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
        lambda: Bits(columns=0),
        lambda: Bits(columns=5000),
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
    assert (Bits(columns=9).size, Bits(columns=9).bits, Bits(columns=64).fits_a_word) == (
        512,
        9,
        True,
    )
    assert Categories("abc").bits == 2
    assert "2^64" in Integers(bits=64).describe()
    assert Integers(size=10).describe() == "0..9"
