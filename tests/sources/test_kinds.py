"""Kinds of records that a database numbers: the counts that our own loops make of the same."""

from fractions import Fraction

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from tests.sources.kinds_cases import SCHEMA, near, records

from tacit.core.tally import fold
from tacit.domains.dates import Date
from tacit.domains.fields import Number
from tacit.domains.schema import Schema
from tacit.sources.batch_reading import TableReading
from tacit.sources.kinds import _cell, counted_kinds, kind_sql
from tacit.sources.query import quoted
from tacit.tallies.few_cells import KindCounts

READ = TableReading(columns=SCHEMA.names, labels=("y",), positive=1)


class _Duck:
    """A server that counts by SQL."""

    def __init__(self, table):
        self.table = table

    def groups(self, key, *, most):
        assert most is None
        server = duckdb.connect()
        server.register("people", self.table)
        query = f"SELECT {key} AS key, count(*) AS n FROM people GROUP BY 1"
        return server.sql(query).to_arrow_table()


def _types(table):
    return dict(zip(table.column_names, table.schema.types, strict=True))


@pytest.mark.parametrize("declared", [False, True])
@pytest.mark.parametrize("negative", [None, 0])
@pytest.mark.parametrize("truth", [False, True])
def test_a_server_numbers_kinds_as_we_place_them(declared, negative, truth):
    if truth and negative is not None:
        pytest.skip("false is no whole number: only we can tell")
    rng = np.random.default_rng(5)
    told = pa.array([[True, False, None][i] for i in rng.integers(0, 3, 3000)]) if truth else None
    people, kinds = records(label=told), KindCounts(SCHEMA, declared=declared)
    read = TableReading(columns=SCHEMA.names, labels=("y",), positive=1, negative=negative)
    here = fold(map(read, people.to_batches(max_chunksize=700)), kinds).sum(axis=0)
    sql = kind_sql(_types(people), read, kinds, quoted)
    there = counted_kinds(_Duck(people), sql, kinds).sum(axis=0)
    assert there.sum() == people.num_rows
    assert (there == here).all()
    assert np.count_nonzero(here) > 100


@pytest.mark.parametrize(
    ("low", "high", "bins", "divides"),
    [
        (0, 1, 16, True), (0, 1, 10, True), (18, 90, 64, True), ("3/2", 7, 10, True),
        (0, 200_000, 20, True), (-1, 1, 16, False), (0, "3/10", 32, False),
        (0, "1e-310", 16, False), (0, 1, 3, False),
    ],
)  # fmt: skip
def test_division_places_what_is_next_to_every_border(low, high, bins, divides):
    field = Number(low=low, high=high, bins=bins)
    ends = [-1.7e308, -1e-3, -0.0, 0.0, 5e-324, 1e-3, 1.7e308, float("inf"), float("-inf")]
    between = np.random.default_rng(1).uniform(float(Fraction(low)), float(Fraction(high)), 2000)
    values = pa.array([*near(field.borders), *ends, *between, float("nan"), None], pa.float64())
    sql = _cell('"v"', field)
    assert ("floor" in sql) == divides
    server = duckdb.connect()
    server.register("people", pa.table({"v": values}))
    found = server.sql(f"SELECT {sql} AS cell FROM people").to_arrow_table().column("cell")
    assert found.to_pylist() == field.place(values.to_numpy(zero_copy_only=False)).tolist()


def test_a_number_beyond_the_kinds_is_never_counted():
    kinds = KindCounts(SCHEMA)
    every = len(kinds.zero()[0])
    for wrong in (-1, every):
        with pytest.raises(IndexError):
            counted_kinds(_Duck(records(1)), f"CAST({wrong} AS int)", kinds)
    right = counted_kinds(_Duck(records(7)), f"CAST({every - 1} AS int)", kinds)
    assert right.sum(axis=0)[-1] == right.sum() == 7


@pytest.mark.parametrize(
    "change",
    [
        {"read": TableReading(columns=SCHEMA.names, labels=("y",), positive="1")},
        {"read": TableReading(columns=SCHEMA.names, labels=("y",), positive=2**53)},
        {"read": TableReading(columns=SCHEMA.names, labels=("y",), negative=0, ignore=True)},
        {"read": TableReading(columns=SCHEMA.names[::-1], labels=("y",))},
        {"read": TableReading(columns=SCHEMA.names)},
        {"kinds": KindCounts(SCHEMA, values=3)},
        {"types": {"narrow": pa.string()}},
        {"types": {"narrow": pa.decimal128(9, 2)}},
        {"types": {"whole": pa.date32()}},
        {"types": {"y": pa.string()}},
        {"field": Date(low="2020-01-01", high="2021-01-01")},
        {"field": Number(low=0, high=1, bins=300)},  # too long for one query
    ],
)
def test_what_sql_might_place_otherwise_is_left_to_us(change):
    types = _types(records(1)) | change.get("types", {})
    schema = SCHEMA
    if "field" in change:
        schema = Schema(SCHEMA.names, (change["field"], *SCHEMA.fields[1:]))
    kinds = change.get("kinds", KindCounts(schema))
    assert kind_sql(types, change.get("read", READ), kinds, quoted) is None
    assert kind_sql(_types(records(1)), READ, KindCounts(SCHEMA), quoted) is not None
