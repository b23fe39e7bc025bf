"""Whatever loads a table, changing one record places all others as before.

Every loader x kind of column x value of the changed record: the two tables are either both
read, with the same number of records and all others in the same cells and with the same
labels, or one of them is refused before the charge for a public type or for not being a
table, in words that hold none of its values. Nothing warns.
"""

import io
import itertools
from datetime import date, datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet as pq
import pytest

from tacit.core import BadInput
from tacit.domains import Integers
from tacit.domains.labels import truth
from tacit.domains.schema import Schema
from tacit.sources import read
from tacit.sources.samples import as_sample

ROWS = 12
PLACE = 7
FIELDS = {
    "number": {"kind": "number", "low": 0, "high": 100, "bins": 8},
    "number, missing": {"kind": "number", "low": 0, "high": 100, "bins": 8, "missing": True},
    "integer": {"kind": "integer", "low": 0, "high": 12},
    "category": {"kind": "category", "values": ["1", "2", "3"]},
    "category of numbers": {"kind": "category", "values": [1, 2, 3]},
    "category, missing": {"kind": "category", "values": ["1", "a"], "missing": True},
    "boolean": {"kind": "boolean"},
    "date": {"kind": "date", "low": "2024-01-01", "high": "2024-12-31", "cells": "months"},
    "date, missing": {"kind": "date", "low": "2024-01-01", "high": "2024-12-31", "missing": True},
    "date as written": {
        "kind": "date",
        "low": "2024-01-01",
        "high": "2024-12-31",
        "format": "%d.%m.%Y",
    },
}
NUMBERS = [float(place % 4) for place in range(ROWS)]
WHOLE = [place % 4 for place in range(ROWS)]
WORDS = ["a", "1", "2", "true", "no", "3.0"] * 2
DATES = [date(2024, 1 + place % 4, 1 + place) for place in range(ROWS)]
TIMES = [datetime(2024, 1 + place % 4, 3, place) for place in range(ROWS)]
WRITTEN = [one.isoformat() for one in DATES]
GERMAN = [one.strftime("%d.%m.%Y") for one in DATES]
TRUTHS = [place % 3 == 0 for place in range(ROWS)]


LABELS = [place % 2 for place in range(ROWS)]


def _csv(values):
    cells = ["" if value is None else str(value) for value in values]
    quoted = ['"' + cell.replace('"', '""') + '"' if cell else "" for cell in cells]
    return "x,y\n" + "".join(f"{a},{b}\n" for a, b in zip(quoted, LABELS, strict=True))


def _array(kind):
    return lambda values, folder: (np.array(values, dtype=kind)[:, None], LABELS)


def _objects(values, folder):
    column = np.empty((ROWS, 1), dtype=object)
    for place, value in enumerate(values):
        column[place, 0] = value
    return column, LABELS


def _pandas(kind):
    return lambda values, folder: pd.DataFrame({"x": pd.Series(values, dtype=kind), "y": LABELS})


def _polars(kind):
    return lambda values, folder: pl.DataFrame(
        {"x": values, "y": LABELS}, schema_overrides={"x": kind}
    )


def _arrow(kind):
    return lambda values, folder: pa.table({"x": pa.array(values, kind), "y": LABELS})


def _words(values, folder):
    return pa.table({"x": pa.array(values, pa.string()).dictionary_encode(), "y": LABELS})


def _pandas_reads(values, folder):
    return pd.read_csv(io.StringIO(_csv(values)))


def _polars_reads(values, folder):
    return pl.read_csv(io.BytesIO(_csv(values).encode()), infer_schema_length=None)


def _arrow_reads(values, folder):
    options = pa.csv.ParseOptions(newlines_in_values=True)
    return pa.csv.read_csv(io.BytesIO(_csv(values).encode()), parse_options=options)


def _text_file(**declared):
    def load(values, folder):
        (folder / "t.csv").write_text(_csv(values), encoding="utf-8")
        return read(folder / "t.csv", **declared)

    return load


def _total_file(values, folder):
    """Without quotes a line break would be two records: a space stands for it."""
    spaced = [value.replace("\n", " ") if isinstance(value, str) else value for value in values]
    return _text_file(quote=None)(spaced, folder)


def _typed_file(name, write, kind):
    def load(values, folder):
        write(_arrow(kind)(values, folder), folder / name)
        return read(folder / name)

    return load


def _parquet(kind):
    return _typed_file("t.parquet", pq.write_table, kind)


OBJECTS = [None, float("nan"), "word", "", 10**30, True, (1,), b"\xff", pd.NaT, pd.NA, "2.0", 2.5]
ENTRIES = [*OBJECTS[:6], 10**400, [1], {}, 1j, np.float32(2), np.ma.masked]
CELLS = [None, "word", "1e999", "-1", "2.0", " 2 ", "nan", "True", "a\nb", 'a"b', "ä", "9" * 30]
INTS, FLOATS = [None, 2**62, -1], [None, float("nan"), float("inf"), 1e300]
TEXTS, FLAGS = [None, "", "2.0", "b"], [None, False, True]
DAYS = [None, date(1, 1, 1), date(2024, 12, 31), date(9999, 12, 31)]
MOMENTS = [None, datetime(1700, 1, 1), datetime(2024, 2, 29, 23, 59, 59), datetime(2200, 1, 1)]
TEXT_DATES = [None, "", "2024-02-30", "31.12.2024", "2024-03-01 12:00", "0000-00-00", "word", "5"]
PLAIN = {
    # loader: how, what all other records hold, and what the changed one may hold
    "list": (lambda values, folder: ([[one] for one in values], LABELS), WHOLE, ENTRIES),
    "objects": (_objects, WHOLE, OBJECTS),
    "int64": (_array(np.int64), WHOLE, [0, -1, 2**63 - 1, -(2**63)]),
    "float64": (_array(np.float64), NUMBERS, FLOATS[1:]),
    "pandas object": (_pandas(object), WHOLE, OBJECTS),
    "pandas float64": (_pandas("float64"), NUMBERS, FLOATS),
    "pandas Int64": (_pandas("Int64"), WHOLE, INTS),
    "pandas boolean": (_pandas("boolean"), TRUTHS, FLAGS),
    "pandas str": (_pandas("str"), WORDS, TEXTS),
    "pandas string": (_pandas("string"), WORDS, TEXTS),
    "pandas category": (_pandas("category"), WORDS, TEXTS),
    "pandas guesses": (_pandas(None), WHOLE, [None, 0.5, "word", True, 10**30]),
    "pandas reads numbers": (_pandas_reads, WHOLE, CELLS),
    "pandas reads words": (_pandas_reads, WORDS, CELLS),
    "pandas reads truths": (_pandas_reads, TRUTHS, CELLS),
    "polars Int64": (_polars(pl.Int64), WHOLE, INTS),
    "polars Float64": (_polars(pl.Float64), NUMBERS, FLOATS),
    "polars String": (_polars(pl.String), WORDS, TEXTS),
    "polars Boolean": (_polars(pl.Boolean), TRUTHS, FLAGS),
    "polars Categorical": (_polars(pl.Categorical), WORDS, TEXTS),
    "polars reads numbers": (_polars_reads, WHOLE, CELLS[:-1]),  # polars itself refuses the last
    "polars reads truths": (_polars_reads, TRUTHS, CELLS[:-1]),
    "arrow int64": (_arrow(pa.int64()), WHOLE, INTS),
    "arrow double": (_arrow(pa.float64()), NUMBERS, FLOATS),
    "arrow string": (_arrow(pa.string()), WORDS, TEXTS),
    "arrow bool": (_arrow(pa.bool_()), TRUTHS, FLAGS),
    "arrow dictionary": (_words, WORDS, TEXTS),
    "arrow decimal": (_arrow(pa.decimal128(30, 2)), WHOLE, [None, 10**20]),
    "arrow reads numbers": (_arrow_reads, WHOLE, CELLS),
    "arrow reads words": (_arrow_reads, WORDS, CELLS),
    "csv of words": (_text_file(), WORDS, CELLS),
    "csv of numbers": (_text_file(), WHOLE, CELLS),
    "csv, no quotes": (_total_file, WHOLE, CELLS),
    "parquet int64": (_parquet(pa.int64()), WHOLE, INTS),
    "parquet string": (_parquet(pa.string()), WORDS, TEXTS),
    "parquet double": (_parquet(pa.float64()), NUMBERS, FLOATS),
    "parquet bool": (_parquet(pa.bool_()), TRUTHS, FLAGS),
    "objects of dates": (_objects, DATES, [*DAYS, *MOMENTS, "word", pd.NaT, 5]),
    "pandas dates": (_pandas("datetime64[us]"), TIMES, MOMENTS),
    "pandas dates in nanoseconds": (_pandas("datetime64[ns]"), TIMES, MOMENTS),
    "pandas dates with zone": (_pandas("datetime64[us, UTC]"), TIMES, MOMENTS),
    "pandas objects of dates": (_pandas(object), DATES, [*DAYS, pd.NaT, "word", 5]),
    "polars Date": (_polars(pl.Date), DATES, DAYS),
    "polars Datetime": (_polars(pl.Datetime), TIMES, MOMENTS),
    "arrow date32": (_arrow(pa.date32()), DATES, DAYS),
    "arrow timestamp": (_arrow(pa.timestamp("us")), TIMES, MOMENTS),
    "arrow timestamp with zone": (_arrow(pa.timestamp("ms", "Europe/Berlin")), TIMES, MOMENTS),
    "parquet date32": (_parquet(pa.date32()), DATES, DAYS),
    "parquet timestamp": (_parquet(pa.timestamp("us")), TIMES, MOMENTS),
    "csv of dates": (_text_file(), WRITTEN, TEXT_DATES),
    "csv of German dates": (_text_file(), GERMAN, TEXT_DATES),
    "pandas reads dates": (_pandas_reads, WRITTEN, TEXT_DATES),
    "polars reads dates": (_polars_reads, WRITTEN, TEXT_DATES),
    "arrow reads dates": (_arrow_reads, WRITTEN, TEXT_DATES),
    "feather": (_typed_file("t.feather", pa.feather.write_feather, pa.string()), WORDS, TEXTS),
}
GUESSING = ("guesses", "reads")
NO_TABLE = "records must form a column, or rows of equal length; nothing was charged"
"""Loaders whose types hang on the records: what they load may be refused for its type."""


def _placed(data, schema):
    """Cells and labels of all records, or the words of the refusal."""
    try:
        sample = as_sample(data, domain=schema, label="y")
    except BadInput as refused:
        return str(refused)
    cells = schema.coerce(sample.x)
    labels = truth(sample)
    assert len(sample) == len(cells) == len(labels)
    return np.column_stack([cells, labels]).tolist()


def _labelled(data, place):
    """The labels alone: the column ``x`` taken for the label ``place``."""
    if isinstance(data, tuple):
        x, _ = data
        data = (list(range(ROWS)), [row[0] for row in x] if isinstance(x, list) else x[:, 0])
        named = {}
    else:
        named = {"label": "x", "column": "y"}
    try:
        return truth(as_sample(data, domain=Integers(size=ROWS), positive=place, **named)).tolist()
    except BadInput as refused:
        return str(refused)


def _others(rows):
    return [*rows[:PLACE], *rows[PLACE + 1 :]]


@pytest.mark.parametrize("loader", PLAIN)
def test_one_changed_record_places_no_other(loader, tmp_path):
    load, base, odd = PLAIN[loader]
    read_twice = 0
    for kind, value in itertools.product(FIELDS, odd):
        schema = Schema.of({"x": FIELDS[kind]})
        changed = [*base[:PLACE], value, *base[PLACE + 1 :]]
        one = _placed(load(base, tmp_path), schema)
        other = _placed(load(changed, tmp_path), schema)
        if isinstance(one, str) or isinstance(other, str):
            # A typed loader is refused both times; one that guesses may be refused once.
            assert any(word in loader for word in GUESSING) or one == other
            words = one if isinstance(one, str) else other
            assert "declared as" in words or "none of the declared values" in words
            assert "word" not in words
            continue
        assert len(one) == len(other) == ROWS
        assert _others(one) == _others(other), (kind, value)
        read_twice += 1
    assert read_twice >= len(odd)


@pytest.mark.parametrize("loader", PLAIN)
@pytest.mark.parametrize("positive", [1, "1", "a", True])
def test_one_changed_label_reads_no_other_one_differently(loader, positive, tmp_path):
    load, base, odd = PLAIN[loader]
    for value in odd:
        changed = [*base[:PLACE], value, *base[PLACE + 1 :]]
        one = _labelled(load(base, tmp_path), positive)
        other = _labelled(load(changed, tmp_path), positive)
        if loader == "list" and isinstance(value, list):
            assert other == NO_TABLE  # one label is a row: that a list is a table is public
            continue
        if isinstance(one, str) or isinstance(other, str):
            assert any(word in loader for word in GUESSING) or one == other
            continue
        assert len(one) == len(other) == ROWS
        assert _others(one) == _others(other), value


@pytest.mark.parametrize("loader", ["list", "pandas reads numbers", "csv of words"])
def test_the_contract_sees_a_loader_that_moves_records(loader, tmp_path):
    """The changed record makes the loader hand out all others one place further."""
    load, base, odd = PLAIN[loader]
    schema = Schema.of({"x": FIELDS["category"]})
    one = _placed(load(base, tmp_path), schema)
    other = _placed(load([*base[1:PLACE], odd[0], *base[PLACE:]], tmp_path), schema)
    assert _others(one) != _others(other)
