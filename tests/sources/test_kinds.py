"""Kinds of records that a database numbers: the counts that our own loops make of the same."""

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from tests.sources.kinds_cases import SCHEMA, records

from tacit.core.tally import fold
from tacit.domains.dates import Date
from tacit.domains.fields import Number
from tacit.domains.schema import Schema
from tacit.sources.batch_reading import TableReading
from tacit.sources.kinds import NumberedKinds, kind_sql
from tacit.sources.query import quoted
from tacit.tallies.few_cells import KindCounts

READ = TableReading(columns=SCHEMA.names, labels=("y",), positive=1)


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
    numbers = duckdb.sql(f"SELECT {sql} AS kind FROM people").to_arrow_table()
    assert numbers.schema.types == [pa.int32()]
    numbered = NumberedKinds(kinds)
    halves = [fold(numbers.slice(*part).to_batches(), numbered) for part in ((0, 99), (99,))]
    sent = [numbered.finished(half) for half in halves]
    assert [half.nbytes for half in sent] == [len(here)] * 2  # short numbers travel
    for left in (halves[0].copy(), sent[0]):
        for right in (halves[1], sent[1]):
            assert (numbered.merge(left.copy(), right).sum(axis=0) == here).all()
    there = numbered.merge(*halves).sum(axis=0)
    assert there.sum() == people.num_rows
    assert (there == here).all()
    assert np.count_nonzero(here) > 100


@pytest.mark.parametrize("most", [0, 255, 256, 65536, 2**32 - 1, 2**32, 2**61])
def test_counts_of_any_size_travel(most):
    numbered = NumberedKinds(KindCounts(SCHEMA))
    counter = numbered.zero()
    counter[1, 3], counter[0, 3] = most // 2, most - most // 2
    sent = numbered.finished(numbered.merge(numbered.zero(), numbered.finished(counter)))
    assert numbered.merge(numbered.zero(), sent).sum(axis=0)[3] == most
    assert int(numbered.merge(sent, sent)[:, 3].sum()) == 2 * most


def test_a_number_beyond_the_kinds_is_never_counted():
    numbered = NumberedKinds(KindCounts(SCHEMA))
    wrong = pa.record_batch([pa.array([len(numbered.zero()[0])], pa.int32())], names=["kind"])
    with pytest.raises(IndexError):
        numbered.add(numbered.zero(), wrong)


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
