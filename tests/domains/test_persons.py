"""Whose a row is, and which rows are kept: one person by itself, whatever the others are."""

import decimal
import uuid

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.domains.persons import id_text, kept_rows, owners

NAMES = st.text(alphabet="ab7 \u00e9", max_size=3)

PEOPLE = st.lists(st.tuples(NAMES, st.integers(0, 3), st.booleans()), min_size=0, max_size=25)


class Odd(int):
    """A number whose own methods fail."""

    def __str__(self):
        raise RuntimeError("a record")

    __int__ = __index__ = __eq__ = __str__
    __hash__ = None


def kept(table, rows):
    """The multiset of kept rows, by id."""
    held = owners(pa.array([row[0] for row in table], pa.string()))
    cells = np.array([row[1] for row in table], dtype=np.int64)
    labels = np.array([row[2] for row in table], dtype=bool)
    return [table[i] for i in kept_rows(held, cells, labels, rows=rows)]


@given(PEOPLE, st.integers(1, 4), st.randoms())
@settings(max_examples=200, deadline=None)
def test_what_is_kept_of_a_person_does_not_hang_on_others_or_on_the_order(table, rows, shuffle):
    found = kept(table, rows)
    assert not any(row[0] == "" for row in found)
    for name in {row[0] for row in table} - {""}:
        mine = [row for row in table if row[0] == name]
        alone = kept(mine, rows)
        assert len(alone) == min(rows, len(mine))
        assert [row for row in found if row[0] == name] == alone
    other = list(table)
    shuffle.shuffle(other)
    assert kept(other, rows) == found


@given(PEOPLE, st.integers(1, 4))
@settings(max_examples=100, deadline=None)
def test_labels_do_not_choose_features(table, rows):
    flipped = [(name, cell, not label) for name, cell, label in table]
    assert [row[:2] for row in kept(table, rows)] == [row[:2] for row in kept(flipped, rows)]


def test_rows_are_kept_without_bias():
    """W5: a hash of the values keeps the same values for everybody; places do not."""
    persons, held = 4000, 10
    wrong = np.tile(np.arange(held) < 3, persons)
    ids = np.repeat(np.arange(persons), held)
    for cells in (wrong.astype(np.int64), np.tile(np.arange(held), persons)):
        chosen = kept_rows(owners(ids), cells, None, rows=5)
        assert len(chosen) == 5 * persons
        # 20000 draws without replacement within persons: the standard error is 0.0024.
        assert abs(wrong[chosen].mean() - 0.3) < 0.012
    places = kept_rows(owners(ids), np.tile(np.arange(held), persons), None, rows=1) % held
    assert np.bincount(places, minlength=held).min() > 300


def test_one_row_is_among_several():
    table = [("a", i, False) for i in range(9)] + [("b", i, True) for i in range(3)]
    one, three = kept(table, 1), kept(table, 3)
    assert set(one) <= set(three)


def test_a_person_with_a_thousand_rows_moves_nothing_beyond_the_bound():
    usual = [(str(i), i % 4, bool(i % 2)) for i in range(50)]
    many = usual + [("x", i % 4, True) for i in range(1000)]
    found = kept(many, 3)
    assert sorted(row for row in found if row[0] != "x") == sorted(kept(usual, 3))
    assert len(found) == 53


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("7", "7"),
        (" 7", " 7"),
        ("007", "007"),
        ("A", "A"),
        ("a", "a"),
        (7, "7"),
        (np.int8(7), "7"),
        (7.0, "7"),
        (2**80, str(2**80)),
        (10**5000, ""),
        (Odd(7), "7"),
        (7.5, ""),
        (float(2**60), ""),
        (float("nan"), ""),
        (float("inf"), ""),
        (None, ""),
        (True, ""),
        (np.ma.masked, ""),
        (b"7", ""),
        (decimal.Decimal(7), ""),
        ([1], ""),
        (uuid.UUID(int=7), str(uuid.UUID(int=7))),
    ],
    ids=lambda one: type(one).__name__,
)
def test_ids_are_compared_exactly(value, text):
    assert id_text(value) == text


COLUMNS = {
    "arrow text": pa.array(["b", "a", None, "b", ""]),
    "arrow chunks": pa.chunked_array([["b"], ["a", None, "b", ""]]),
    "large text": pa.array(["b", "a", None, "b", ""], pa.large_string()),
    "pandas": pd.Series(["b", "a", None, "b", ""]),
    "pandas text": pd.Series(["b", "a", None, "b", ""], dtype="string"),
    "pandas category": pd.Series(["b", "a", None, "b", ""], dtype="category"),
    "polars": pl.Series(["b", "a", None, "b", ""]),
    "numpy": np.array(["b", "a", None, "b", ""], dtype=object),
    "numpy text": np.array(["b", "a", "", "b", ""]),
    "list": ["b", "a", None, "b", ""],
}


@pytest.mark.parametrize("name", COLUMNS)
def test_ids_from_any_column(name):
    held = owners(COLUMNS[name])
    assert held.ids == ["a", "b"]
    assert held.places.tolist() == [1, 0, -1, 1, -1]


def test_numbers_and_their_text_are_the_same_persons():
    numbers = owners(np.array([10, 9, 10]))
    assert numbers.ids == owners(pa.array(["10", "9", "10"])).ids == ["10", "9"]
    assert owners(pd.Series([10, None, 9], dtype="Int64")).ids == ["10", "9"]
    assert owners(pa.array([2**53, 2**53 + 1, None])).places.tolist() == [0, 1, -1]


def test_nobody():
    assert owners(pa.array([], pa.string())).ids == []
    assert kept([], 2) == []
    assert kept([("", 1, True)], 2) == []
