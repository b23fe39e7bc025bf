"""Numbers at the border: exact, or refused by name."""

import time
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.core import BadInput
from tacit.core.numbers import (
    exact,
    positive,
    probability,
    show,
    show_rounded_down,
    show_rounded_up,
    whole,
)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0.1, Fraction(1, 10)),
        (np.float64(0.1), Fraction(1, 10)),
        (np.float32(0.1), Fraction(1, 10)),
        (1e-9, Fraction(1, 10**9)),
        ("1/3", Fraction(1, 3)),
        (" 0.25 ", Fraction(1, 4)),
        ("1e-6", Fraction(1, 10**6)),
        (Decimal("0.3"), Fraction(3, 10)),
        (Fraction(2, 7), Fraction(2, 7)),
        (3, Fraction(3)),
        (np.int8(3), Fraction(3)),
        (np.array(3), Fraction(3)),
        (np.array(0.5), Fraction(1, 2)),
    ],
)
def test_numbers_are_read_exactly(value, expected):
    assert exact(value, name="epsilon") == expected


@pytest.mark.parametrize(
    "value",
    [
        True,
        np.True_,
        None,
        "x",
        "",
        "1/0",
        float("nan"),
        float("inf"),
        np.nan,
        Decimal("NaN"),
        Decimal("Infinity"),
        [1],
        np.array([1]),
        np.array([0.5, 1]),
        1j,
        b"1",
        pytest.param(object(), id="object"),
    ],
    ids=repr,
)
def test_anything_else_is_refused_by_name(value):
    with pytest.raises(BadInput, match="epsilon"):
        exact(value, name="epsilon")


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_is_its_shortest_decimal(value):
    assert exact(value, name="x") == Fraction(repr(value))
    assert float(exact(value, name="x")) == value


def test_ranges():
    assert positive("0.5", name="epsilon") == Fraction(1, 2)
    for bad in (0, -1, "-0.1"):
        with pytest.raises(BadInput, match="epsilon must be greater than 0"):
            positive(bad, name="epsilon")
    assert probability(0, name="delta", zero="allowed") == 0
    for bad in (0, 1, 1.5, -0.1):
        with pytest.raises(BadInput, match="strictly between"):
            probability(bad, name="alpha")
    for bad in (1, -1):
        with pytest.raises(BadInput, match="below 1"):
            probability(bad, name="delta", zero="allowed")
    assert whole("3", name="k", least=1) == whole(3.0, name="k", least=1) == 3
    for bad in (0, 2.5, "1/2"):
        with pytest.raises(BadInput, match="k must be a whole number of at least 1"):
            whole(bad, name="k", least=1)


@given(st.fractions())
def test_what_is_shown_is_what_is_meant(value):
    assert Fraction(show(value)) == value


@given(st.fractions(min_value=Fraction(1, 10**30), max_value=10**30), st.integers(2, 9))
def test_rounded_numbers_stay_on_their_side(value, digits):
    up = Fraction(show_rounded_up(value, digits=digits))
    down = Fraction(show_rounded_down(value, digits=digits))
    assert down <= value <= up
    slack = Fraction(12, 10) * value / 10 ** (digits - 1)
    assert up - down <= 2 * slack


def test_very_small_and_large_numbers_are_shown():
    tiny = Fraction(1, 3 * 10**400)
    assert Fraction(show_rounded_up(tiny)) >= tiny
    assert Fraction(show_rounded_down(tiny)) <= tiny
    huge = Fraction(10**400, 3)
    assert Fraction(show_rounded_up(huge)) >= huge
    assert show(Fraction(10**400)) == str(10**400)


@pytest.mark.parametrize(
    "value",
    ["1e99999999", "-1E+99999999", "1e-99999999", "1e٩٩٩٩٩٩٩٩", "9" * 10**6, "1e1_0_0_0_0_0"],
)
def test_a_short_text_cannot_build_a_huge_number(value):
    start = time.perf_counter()
    with pytest.raises(BadInput, match="epsilon"):
        exact(value, name="epsilon")
    assert time.perf_counter() - start < 1


def test_large_numbers_within_the_bounds_are_read():
    assert exact("1e10000", name="x") == 10**10000
    assert exact(1 << 20000, name="x") == 1 << 20000


def test_a_decimal_comma_is_told():
    with pytest.raises(BadInput, match="with a point and not a comma"):
        exact("0,5", name="epsilon")
