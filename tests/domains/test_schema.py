"""A schema is declared, never read off the data; every value whatever has a cell."""

import json
from dataclasses import replace
from datetime import date
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from tacit.core import BadInput
from tacit.domains.columns import as_array
from tacit.domains.fields import Category, Number
from tacit.domains.placing import MANY_ROWS
from tacit.domains.schema import Schema
from tacit.domains.schema_text import UNDECLARED

MIXED = {"age": (0, 120), "job": ("nurse", "cook"), "smoker": bool, "rooms": range(1, 6)}


def test_a_plain_list_says_what_each_column_is():
    schema = Schema.of(
        [(0, 10), ("a", "b", "c"), bool, range(3), {"kind": "boolean", "missing": "own"}]
    )
    assert [field.kind for field in schema.fields] == [
        "number",
        "category",
        "boolean",
        "integer",
        "boolean",
    ]
    assert schema.cells == (17, 4, 3, 4, 4)
    assert schema.names == ("x0", "x1", "x2", "x3", "x4")


@pytest.mark.parametrize("said", [{}, {"missing": "own"}, {"complete": True}])
def test_long_columns_are_placed_like_short_ones(said):
    rng = np.random.default_rng(1)
    values = rng.normal(size=MANY_ROWS + 5) * 3
    values[:3] = np.nan, np.inf, -np.inf
    for field in (
        Number(low=-2, high=3, bins=17, **said),
        Number(low=-2, high=3, edges=(-1.5, -1.4, 2), **said),
        Number(low=-2, high=3, bins=1, **said),
    ):
        values[3 : 3 + len(field.borders)] = field.borders
        short = np.concatenate([field.place(part) for part in np.array_split(values, 9)])
        assert np.array_equal(field.place(values), short)
        schema = Schema(("a", "b"), (field, field))
        table = np.stack([values, values[::-1]], axis=1)
        assert np.array_equal(schema.coerce(table), np.stack([short, short[::-1]], axis=1))


def test_frames_of_three_kinds_are_read_by_name_in_any_order():
    schema = Schema.of(MIXED)
    frame = pd.DataFrame(
        {
            "rooms": [1, 2, 9],
            "extra": [0, 0, 0],
            "smoker": [True, False, True],
            "job": ["cook", None, "x"],
            "age": [1.0, np.nan, 200],
        }
    )
    expected = [[1, 2, 2, 1], [0, 0, 1, 2], [16, 0, 2, 5]]
    for one in (frame, pl.from_pandas(frame), pa.Table.from_pandas(frame)):
        assert schema.coerce(one).tolist() == expected


def test_written_and_read_back(tmp_path):
    schema = Schema.of(
        MIXED | {"x y": {"kind": "number", "low": "0.1", "high": 3, "edges": [1, "1.5"]}}
    )
    path = tmp_path / "schema.toml"
    for one in (schema, replace(schema, public=('a fact "quoted"', "another"))):
        path.write_text(one.to_toml(), encoding="utf-8")
        assert Schema.of(path) == one
        assert Schema.of(one.to_dict()) == one
    assert schema.fields[-1].low == Fraction(1, 10)


def test_declared_categories_of_a_type_are_enough():
    frame = pd.DataFrame({"job": pd.Categorical(["a"], categories=["a", "b", "c"]), "ok": [True]})
    assert Schema.from_types(frame, public_columns=["job"]).cells == (4, 3)
    with pytest.raises(BadInput, match="'age'"):
        Schema.from_types(pd.DataFrame({"age": [17.25]}))


@pytest.mark.parametrize(
    "column",
    [
        pd.Series(["a", "spy (name withheld)"]).astype("category"),
        pl.Series(["a", "spy (name withheld)"], dtype=pl.Enum(["a", "spy (name withheld)"])),
    ],
    ids=["pandas", "polars"],
)
def test_the_categories_of_a_frame_are_not_published_unasked(column):
    frame = (pd if isinstance(column, pd.Series) else pl).DataFrame({"job": column})
    with pytest.raises(BadInput, match=r"public_columns=\['job'\]") as refused:
        Schema.from_types(frame)
    assert "spy" not in str(refused.value)
    asked = Schema.from_types(frame, public_columns="all")
    assert asked.fields[0].values == ("a", "spy (name withheld)")
    assert asked.public == ("the categories of 'job', taken from the types of a frame",)
    again = Schema.of(asked.to_dict(), bins=4).named(["work"]).declared_complete()
    assert again.public == asked.public


@pytest.mark.parametrize("said", ["x", [1], ["x" * 2001], ["x"] * 13, {"x": 1}])
def test_what_a_file_calls_public_is_a_few_short_sentences(said):
    with pytest.raises(BadInput, match="short list of sentences"):
        Schema.of({"columns": {"age": (0, 9)}, "public": said})


@pytest.mark.parametrize(
    ("given", "word"),
    [
        (None, "declared"),
        ([], "at least one column"),
        ([(1, 1)], "'x0'.*below"),
        ([()], "at least one value"),
        ([("a", "a")], "each once"),
        ([5], "'x0'.*declare"),
        ({"a": {"kind": "number", "low": UNDECLARED, "high": 3}}, "'a'.*declare low"),
        ({"a": {"kind": "number", "low": 1}}, "low and high"),
        ({"a": {"kind": "odd"}}, "kind"),
        ({"a": {"kind": "number", "low": 0, "high": 1, "bins": 0}}, "bins"),
        ([{"kind": "number", "low": 0, "high": 1, "edges": [2, 1]}], "ascending"),
        (3.5, "domain must be"),
    ],
)
def test_a_wrong_declaration_is_told(given, word):
    with pytest.raises(BadInput, match=word):
        Schema.of(given)


def test_categories_that_json_has_no_word_for_are_written_as_text_and_placed_alike():
    given = (date(2020, 1, 1), date(2020, 1, 2), b"a", (1, 2), "x", None, 7)
    category = Category(values=given, missing=True)
    schema = Schema(("when",), (category,))
    again = Schema.of(json.loads(json.dumps(schema.to_dict())))
    column = np.empty(len(given) + 1, dtype=object)
    column[:] = [*given, "no such"]
    placed = category.place(column).tolist()
    assert len(set(placed)) == len(given) + 1
    assert again.fields[0].place(column).tolist() == placed


def test_a_column_that_numpy_has_no_type_for_is_still_placed():
    wide = pl.DataFrame({"a": pl.Series([1, 2**100, None, 5], dtype=pl.Int128)})
    schema = Schema.of({"a": {"kind": "number", "low": 0, "high": 8, "bins": 4, "missing": True}})
    assert schema.coerce(wide)[:, 0].tolist() == [1, 4, 0, 3]
    assert as_array(wide)[:, 0].tolist() == [1, 2**100, None, 5]


@pytest.mark.parametrize("rows", [3, MANY_ROWS])
def test_arrays_of_another_kind_are_placed_alike_however_long(rows):
    number = Number(low=0, high=1, bins=4, missing=True)
    schema = Schema(("a", "b"), (number, number))
    x = np.full((rows, 2), 0.9)
    assert schema.coerce(np.asmatrix(x))[0].tolist() == [4, 4]
    hidden = np.ma.masked_array(x, mask=np.arange(2 * rows).reshape(rows, 2) == 1)
    placed = schema.coerce(hidden)
    assert placed[:2].tolist() == [[4, 0], [4, 4]]
    assert placed[1:].min() == 4
