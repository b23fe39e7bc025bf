"""A value is the same value however a loader spells it, and odd ones are silent."""

from __future__ import annotations

import io
import warnings
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from tests.domains.domains_values_cases import Odd

from tacit.core import BadInput, Sample
from tacit.domains import Categories, Integers
from tacit.domains.bits import Bits
from tacit.domains.columns import as_array
from tacit.domains.fields import Boolean, Category, Integer, Number
from tacit.domains.labels import equals, truth
from tacit.domains.reals import RealBox
from tacit.domains.schema import Schema


@pytest.mark.parametrize("last", ["10", "", "word", "1.5", "True", "1e400"])
@pytest.mark.parametrize("cells", [("10", "11"), ("True", "False"), ("1e3", "7"), ("0", "1")])
def test_pandas_reads_the_other_records_alike_whatever_one_cell_holds(cells, last):
    column = [*cells, *cells, last]
    frames = [
        pd.read_csv(io.StringIO("a,b\n" + "".join(f"{one},0\n" for one in column[:stop])))
        for stop in (4, 5)
    ]
    fields = [Category(values=cells), Boolean(), Number(low=0, high=12, bins=6)]
    fields += [Integer(low=0, high=12), Category(values=cells[::-1])]
    for field in fields:
        placed = [field.place(as_array(frame["a"]))[:4].tolist() for frame in frames]
        assert placed[0] == placed[1]
    for domain in (Categories(cells), Integers(size=12)):
        placed = [domain.coerce(frame["a"])[:4].tolist() for frame in frames]
        assert placed[0] == placed[1]
    for positive in cells:
        labels = [truth(Sample(frame["a"], frame["a"], positive))[:4].tolist() for frame in frames]
        assert labels[0] == labels[1]
        assert sum(labels[0]) == 2


def test_a_float_that_is_whole_is_the_integer_and_its_text():
    for declared in [("10", "11"), (10, 11), (10.0, 11.0)]:
        for held in ([11, 10], [11.0, 10.0], ["11", "10"], ["11.0", "10.0"]):
            for array in (np.array(held), np.array(held, dtype=object)):
                assert Category(values=declared).place(array).tolist() == [2, 1]
                assert Categories(declared).coerce(array).tolist() == [1, 0]
                assert equals(array, declared[0]).tolist() == [False, True]


@pytest.mark.parametrize("values", [(10, "10"), ("1", "1.0"), (True, "true"), ("7", "007")])
def test_one_value_is_not_declared_twice(values):
    for kind in (lambda given: Category(values=given), Categories):
        with pytest.raises(BadInput, match=r"one\s+value"):
            kind(values)


ODD = [
    np.complex128(3 + 4j),
    3 + 4j,
    np.ma.masked,
    Odd(3),
    np.array([5]),
    np.longdouble("1e4000"),
    Decimal("sNaN"),
    Decimal("1e999999999"),
    Decimal("1e-999999999"),
    Fraction(10**400, 3),
    np.timedelta64(5, "s"),
    np.datetime64(2**62, "s"),
    pd.Timestamp("2020-01-01", tz="UTC"),
    "9" * 5000,
    10**5000,
    object(),
]


@pytest.mark.parametrize("value", ODD, ids=lambda one: type(one).__name__)
def test_odd_values_are_placed_silently(value):
    column = np.empty(2, dtype=object)
    column[0], column[1] = value, 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for field in (
            Boolean(),
            Number(low=0, high=2, bins=2),
            Integer(low=0, high=1),
            Category(values=(0, 1)),
        ):
            assert field.place(column)[1] == 2
        assert Integers(bits=8).coerce(column)[1] == 1
        assert RealBox([(0, 1)]).coerce(column)[1] == 1
        assert Categories((0, 1)).coerce(column)[1] == 1
        assert Bits(columns=2).coerce(column)[1] == 1
        assert equals(column, 1)[1]
        assert equals(column, "word").tolist() == [False, False]


NESTED = {
    "struct": pl.Series([{"v": 1}, {"v": 2}, {"v": 3}], dtype=pl.Struct({"v": pl.Int64})),
    "struct float": pl.Series([{"v": 1.0}] * 3, dtype=pl.Struct({"v": pl.Float64})),
    "two fields": pl.Series([{"v": 1, "w": 2}] * 3),
    "array": pl.Series([[1, 0], [1, 1], [0, 0]], dtype=pl.Array(pl.Int64, 2)),
    "array of one": pl.Series([[1], [2], [3]], dtype=pl.Array(pl.Int64, 1)),
    "list": pl.Series([[1], [2], [3]], dtype=pl.List(pl.Int64)),
    "list of floats": pl.Series([[1.0], [2.0], [3.0]], dtype=pl.List(pl.Float64)),
    "arrow struct": pa.array([{"v": 1}] * 3),
    "arrow list": pa.array([[1], [2], [3]]),
    "arrow fixed list": pa.array([[1, 0]] * 3, pa.list_(pa.int64(), 2)),
    "pandas arrow list": pd.Series([[1], [2], [3]], dtype=pd.ArrowDtype(pa.list_(pa.int64()))),
    "pandas arrow struct": pd.Series(
        [{"v": 1}] * 3, dtype=pd.ArrowDtype(pa.struct({"v": pa.int64()}))
    ),
}


def _changed(column, entry):
    """The column with another last entry."""
    if isinstance(column, pl.Series):
        return pl.Series([*column.to_list()[:2], entry], dtype=column.dtype)
    if isinstance(column, pa.Array):
        return pa.array([*column.to_pylist()[:2], entry], type=column.type)
    return pd.Series([*column.tolist()[:2], entry], dtype=column.dtype)


def _hole(entry):
    """An entry whose inner value is missing."""
    return dict.fromkeys(entry) if isinstance(entry, dict) else [None] * len(entry)


@pytest.mark.parametrize("name", NESTED)
def test_a_missing_value_inside_one_nested_entry_moves_no_other_record(name):
    column = NESTED[name]
    first = column.to_list()[0] if hasattr(column, "to_list") else column.to_pylist()[0]
    others = [column, _changed(column, None), _changed(column, _hole(first))]
    places = [
        lambda one: Integers(size=4).coerce(one),
        lambda one: Bits(columns=2).coerce(one),
        lambda one: Categories((1, 2)).coerce(one),
        lambda one: truth(Sample([0] * len(one), one, 1)),
        lambda one: Schema.of({"a": (0, 4)}).coerce(
            pl.DataFrame({"a": one})
            if isinstance(one, pl.Series)
            else pa.table({"a": one})
            if isinstance(one, pa.Array)
            else pd.DataFrame({"a": one})
        )[:, 0],
    ]
    for place in places:
        placed = [place(one)[:2].tolist() for one in others]
        assert placed[0] == placed[1] == placed[2]
