"""No record changes how another one is read, whatever the engine, file or list it came in."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.domains.each_record_by_itself_cases import LONG

from tacit.domains.columns import as_array
from tacit.domains.fields import Boolean, Category, Number
from tacit.domains.integers import Integers
from tacit.domains.reals import RealBox
from tacit.domains.schema import Schema
from tacit.sources import FileSample
from tacit.sources import read as open_file


def read_column(path, name, *, exact=False):
    return FileSample(open_file(path), columns=(name,), exact=exact).x


def read_labels(path, name, positive):
    return FileSample(
        open_file(path), columns=(name,), labels=(name,), positive=positive, exact=True
    ).y


def _write(path, **columns):
    pq.write_table(pa.table(columns), path)
    return path


@pytest.mark.parametrize("last", [0, None])
def test_a_missing_label_in_a_parquet_file_leaves_the_other_labels(tmp_path, last):
    path = _write(tmp_path / "t.parquet", y=pa.array([1, 1, last], pa.int64()))
    assert read_labels(path, "y", "1").tolist() == [True, True, False]


@pytest.mark.parametrize("last", [0, None])
def test_a_missing_entry_in_a_parquet_file_rounds_no_other_one(tmp_path, last):
    path = _write(tmp_path / "t.parquet", x=pa.array([LONG, last], pa.int64()))
    assert Integers(bits=62).coerce(read_column(path, "x", exact=True)).tolist() == [LONG, 0]


@pytest.mark.parametrize("last", ["7", "seven", None])
def test_a_word_in_a_shifted_text_column_does_not_stop_the_release(tmp_path, last):
    path = tmp_path / "t.csv"
    path.write_text(f"x,z\n5,1\n{last or ''},1\n")
    shifted = FileSample(open_file(path), columns=("x",), exact=False, low=2).x
    assert shifted[0] == 3


FRAMES = {
    "polars": lambda values: pl.DataFrame({"a": values}, schema={"a": pl.Int64}),
    "polars-two": lambda values: pl.DataFrame(
        {"a": values, "b": [0.5] * len(values)}, schema={"a": pl.Int64, "b": pl.Float64}
    ),
    "arrow": lambda values: pa.table({"a": pa.array(values, pa.int64())}),
    "pandas": lambda values: pd.DataFrame({"a": pd.array(values, dtype="Int64")}),
    "series": lambda values: pl.Series(values, dtype=pl.Int64),
}


@pytest.mark.parametrize("last", [0, None])
@pytest.mark.parametrize("engine", FRAMES)
def test_a_missing_entry_in_a_frame_rounds_no_other_one(engine, last):
    table = as_array(FRAMES[engine]([LONG, last]))
    assert int(np.atleast_1d(table[0])[0]) == LONG


@pytest.mark.parametrize("last", [1, None])
def test_a_missing_category_leaves_the_others(last):
    column = pd.Series([2, 1, last], dtype="category")
    placed = Category(values=("0", "1", "2"))
    assert placed.place(as_array(column))[:2].tolist() == [3, 2]
    assert placed.place(as_array(pd.DataFrame({"a": column}))[:, 0])[:2].tolist() == [3, 2]


@pytest.mark.parametrize("last", [0, None])
def test_a_missing_truth_value_leaves_the_others(last):
    column = pl.Series([5, 1, last], dtype=pl.Int64)
    assert Boolean().place(as_array(column))[:2].tolist() == [0, 2]


@pytest.mark.parametrize("last", ["b", None])
def test_a_missing_entry_of_a_dictionary_column_is_missing(last):
    """Arrow itself reads it as whichever value another record brought in last."""
    for others in (["a", "b"], ["b", "a"]):
        column = pa.chunked_array([pa.array([*others, last]).dictionary_encode()])
        assert as_array(column).tolist() == [*others, last]
    nothing = pa.chunked_array([pa.array([None], pa.string()).dictionary_encode()])
    assert as_array(nothing).tolist() == [None]


@pytest.mark.parametrize("last", ["one line", "two\nlines"])
def test_a_line_break_in_one_cell_leaves_a_long_file_readable(tmp_path, last):
    path = tmp_path / "t.csv"
    line = b"123456," + b"w" * 400 + b"\n"
    path.write_bytes(b"x,z\n" + line * 100_000 + f'7,"{last}"\n'.encode())
    assert read_column(path, "x")[-1] == 7


def test_odd_floats_show_themselves_by_no_warning():
    wide = np.array([1, np.longdouble("1e4000")])
    signalling = np.array([0x7F800001], dtype=np.uint32).view(np.float32)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for column in (wide, signalling):
            RealBox([(0, 1)]).coerce(column)
            Number(low=0, high=1, bins=4).place(column)


def test_a_record_that_refuses_to_be_a_number_has_a_place():
    class Odd:
        def __float__(self) -> float:
            raise KeyError

    assert RealBox([(0, 1)]).coerce([Odd(), 1]).ravel().tolist() == [0.0, 1.0]


@pytest.mark.parametrize("edges", [("0", "1e-400", "2e-400"), ("0", "5e-324", "1e-323")])
def test_long_tables_are_placed_as_short_ones_are(edges):
    schema = Schema(("a",), (Number(low=0, high=1, edges=edges),))
    few = np.array([0.0, 5e-324, 0.5, -1.0, np.nan])
    expected = np.resize(schema.coerce(few[:, None]).ravel(), 1 << 16)
    many = np.resize(few, 1 << 16)
    assert np.array_equal(schema.coerce(many[:, None]).ravel(), expected)
    assert np.array_equal(schema.fields[0].place(many), expected)
