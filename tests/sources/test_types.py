"""A public type that cannot hold what is declared is an error before the charge."""

import datetime
import io

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacit import Accuracy, Ledger, Privacy, Task, learn, sanitize
from tacit.classes import Points, Thresholds
from tacit.core import BadInput
from tacit.domains import Schema
from tacit.estimators import StumpClassifier
from tacit.sources.types import (
    Family,
    check_categories,
    check_label,
    check_schema,
    column_type,
    family,
    frame_types,
)

DAY = datetime.date(2024, 5, 1)

COLUMNS = {
    "text": pa.array(["5"] * 40),
    "large": pa.array(["5"] * 40, pa.large_string()),
    "words": pa.array(["5"] * 40).dictionary_encode(),
    "day": pa.array([DAY] * 40),
    "moment": pa.array([datetime.datetime(2024, 5, 1)] * 40),
    "list": pa.array([[5]] * 40),
    "bytes": pa.array([b"5"] * 40),
    "struct": pa.array([{"v": 5}] * 40),
    "pair": pa.array([[5, 5]] * 40, pa.list_(pa.int64(), 2)),
}

FITTING = {
    "int": pa.array([5] * 40),
    "small": pa.array([5] * 40, pa.uint8()),
    "float": pa.array([5.0] * 40),
    "decimal": pa.array([5] * 40).cast(pa.decimal128(25, 2)),
    "bool": pa.array([True] * 40),
    "missing": pa.array([None] * 40, pa.int64()),
}

TABLE = pa.table({**COLUMNS, **FITTING, "y": [0, 1] * 20})

TASK = Task(Thresholds(size=11), privacy=Privacy(1), accuracy=Accuracy(0.1, 0.05))


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("types") / "t.parquet"
    pq.write_table(TABLE, path)
    return path


def _calls(name, kind, file, ledger):
    domain = {name: {"kind": kind, "low": 0, "high": 10}}
    table = StumpClassifier(domain=domain, ledger=ledger)
    frames = [TABLE, TABLE.to_pandas(), pl.from_arrow(TABLE.select([name, "y"]))]
    calls = [lambda: table.fit_file(file, label="y")]
    calls += [
        lambda: learn(TASK, file, column=name, label="y", ledger=ledger),
        lambda: sanitize(file, TASK.concept_class, privacy=Privacy(1), column=name, ledger=ledger),
    ]
    for frame in frames:
        if isinstance(frame, pd.DataFrame) and frame[name].dtype == object:
            continue  # Python objects have no type
        features = frame.select([name]) if not isinstance(frame, pd.DataFrame) else frame[[name]]
        calls += [
            lambda features=features: table.fit(features, [0, 1] * 20),
            lambda frame=frame: learn(TASK, frame, column=name, label="y", ledger=ledger),
            lambda frame=frame: sanitize(
                frame, TASK.concept_class, privacy=Privacy(1), column=name, ledger=ledger
            ),
        ]
    return calls


@pytest.mark.parametrize("kind", ["number", "integer"])
@pytest.mark.parametrize("name", COLUMNS)
def test_a_column_that_holds_no_numbers_is_no_number(name, kind, file):
    ledger = Ledger.memory(epsilon=100)
    calls = _calls(name, kind, file, ledger)
    for call in calls:
        with pytest.raises(BadInput, match=f"column '{name}' holds .*declared as .*nothing was"):
            call()
    assert len(calls) >= 7
    assert not ledger.entries


@pytest.mark.parametrize("name", FITTING)
def test_a_column_of_numbers_is_read(name, file):
    ledger = Ledger.memory(epsilon=100)
    calls = _calls(name, "number", file, ledger)
    for call in calls:
        call()
    assert len(ledger.entries) == len(calls) >= 7


def test_long_numbers_may_be_written_as_text(tmp_path):
    pq.write_table(pa.table({"x": [str(2**999)] * 40, "y": [1] * 40}), tmp_path / "t.parquet")
    task = Task(Points(bits=1000), privacy=Privacy(1), accuracy=Accuracy(0.1, 0.05))
    ledger = Ledger.memory(epsilon=1)
    learn(task, tmp_path / "t.parquet", label="y", ledger=ledger)
    assert len(ledger.entries) == 1


IMPOSSIBLE = [
    (pa.int64(), "yes"),
    (pa.int64(), 1.5),
    (pa.int8(), 300),
    (pa.uint8(), -1),
    (pa.int64(), 1 << 63),
    (pa.float64(), "yes"),
    (pa.bool_(), "yes"),
    (pa.bool_(), 2),
    (pa.date32(), 1),
    (pa.timestamp("us"), True),
    (pa.list_(pa.int64()), 1),
    (pa.dictionary(pa.int8(), pa.int64()), "yes"),
    (pa.int64(), (1, 2)),
    (pa.int64(), float("inf")),
    (pa.float64(), "1/2"),
    (pa.date32(), "yes"),
    (pa.float64(), DAY),
    (pa.dictionary(pa.int8(), pa.int8()), 300),
    (pa.duration("s"), "yes"),
]

POSSIBLE = [
    (pa.int64(), 1),
    (pa.int64(), "1"),
    (pa.int64(), True),
    (pa.int64(), 1.0),
    (pa.int64(), "1.0"),
    (pa.uint64(), (1 << 64) - 1),
    (pa.int8(), -128),
    (pa.float64(), 0.5),
    (pa.decimal128(9, 2), "0.5"),
    (pa.bool_(), True),
    (pa.bool_(), 1),
    (pa.bool_(), "true"),
    (pa.string(), 1),
    (pa.string_view(), "yes"),
    (pa.date32(), "2024-05-01"),
    (pa.date32(), DAY),
    (pa.null(), "yes"),
    (None, "yes"),
    (pa.int64(), np.int64(1)),
    (pa.float64(), float("inf")),
    (pa.timestamp("us"), "2024-05-01 10:30:00"),
    (pa.time32("s"), "10:30:00"),
    (pa.duration("s"), 1),
    (pa.string(), DAY),
]


@pytest.mark.parametrize(("kind", "positive"), IMPOSSIBLE, ids=str)
def test_a_label_that_cannot_occur_is_refused(kind, positive):
    with pytest.raises(BadInput, match="cannot occur; nothing was charged"):
        check_label(kind, positive, column="y", name="t.parquet")


@pytest.mark.parametrize(("kind", "positive"), POSSIBLE, ids=str)
def test_a_label_that_can_occur_is_not(kind, positive):
    check_label(kind, positive, column="y", name="t.parquet")


def test_every_way_in_compares_the_label_with_its_type(file):
    ledger = Ledger.memory(epsilon=100)
    table = StumpClassifier(domain={"int": (0, 10)}, classes=("no", "yes"), ledger=ledger)
    labels = np.array([0, 1] * 20)
    calls = [
        lambda: table.fit_file(file, label="y"),
        lambda: table.fit(TABLE.select(["int"]), labels),
        lambda: table.fit(TABLE.select(["int"]), pd.Series(labels)),
        lambda: table.fit(TABLE.select(["int"]), TABLE.column("y")),
        lambda: learn(TASK, file, column="int", label="y", positive="yes", ledger=ledger),
        lambda: learn(TASK, TABLE, column="int", label="y", positive="yes", ledger=ledger),
        lambda: learn(TASK, (labels, labels), positive="yes", ledger=ledger),
    ]
    for call in calls:
        with pytest.raises(BadInput, match="'yes' cannot occur"):
            call()
    assert not ledger.entries


@pytest.mark.parametrize("kind", [pa.time64("us"), pa.duration("s")], ids=str)
def test_times_of_day_and_durations_are_no_dates(kind):
    days = Schema.of({"c": {"kind": "date", "low": "2024-01-01", "high": "2025-01-01"}})
    with pytest.raises(BadInput, match="declared as date; nothing was charged"):
        check_schema(days, {"c": kind}, name="t.parquet")
    check_schema(days, {"c": pa.timestamp("ns", tz="UTC")}, name="t.parquet")


def test_types_are_read_without_values():
    frame = pd.DataFrame(
        {"a": [1], "o": pd.Series([object()], dtype=object), "s": pd.Series(["x"], dtype="string")}
    )
    assert [family(kind) for kind in frame_types(frame).values()] == [
        Family.NUMBER,
        None,
        Family.TEXT,
    ]
    assert frame_types(pl.DataFrame({"a": [1]})) == {"a": pa.int64()}
    assert column_type(pl.Series(["x"])) in (pa.string_view(), pa.large_string())
    assert column_type([1]) is None
    assert column_type(np.array([1.0], dtype=np.longdouble)) is None
    assert frame_types(pd.DataFrame({"c": [1 + 2j]})) == {}
    indexed = pd.DataFrame({"a": [1], "s": pd.Series(["x"], dtype="category")}).set_index("s")
    assert family(frame_types(indexed)["a"]) is Family.NUMBER


@pytest.mark.parametrize(("kind", "value"), IMPOSSIBLE, ids=str)
def test_categories_of_which_none_can_occur_are_refused(kind, value):
    with pytest.raises(BadInput, match="none of the declared values can occur; nothing was"):
        check_categories({"c": kind}, [value], column="c", name="t.parquet")


@pytest.mark.parametrize(("kind", "value"), POSSIBLE, ids=str)
def test_one_category_that_can_occur_is_enough(kind, value):
    check_categories({"c": kind}, [object(), value], column="c", name="t.parquet")


def test_every_way_in_compares_the_categories_with_a_type_that_is_public(file):
    ledger = Ledger.memory(epsilon=100)
    table = StumpClassifier(domain={"int": ("a", "b")}, ledger=ledger)
    labels = [0, 1] * 20
    nullable = TABLE.to_pandas().astype({"int": "Int64"})
    calls = [
        lambda: table.fit_file(file, label="y"),
        lambda: table.fit(TABLE.select(["int"]), labels),
        lambda: table.fit(pl.from_arrow(TABLE.select(["int"])), labels),
        lambda: table.fit(nullable[["int"]], labels),
    ]
    for call in calls:
        with pytest.raises(BadInput, match="none of the declared values can occur"):
            call()
    assert not ledger.entries
    table.fit(TABLE.to_pandas()[["int"]], labels)  # pandas chose this type by the values
    assert len(ledger.entries) == 1


@pytest.mark.parametrize("last", ["a", None])
def test_one_text_among_missing_ones_decides_no_refusal(last):
    """pandas makes floats of texts that are all missing."""
    ledger = Ledger.memory(epsilon=100)
    column = pd.read_csv(io.StringIO("c,z\n" + ",1\n" * 39 + f"{last or ''},1\n"))[["c"]]
    assert (column["c"].dtype == float) == (last is None)
    labels = np.array([0, 1] * 20)
    StumpClassifier(domain={"c": ("a", "b")}, ledger=ledger).fit(column, labels)
    days = {"c": {"kind": "date", "low": "2024-01-01", "high": "2025-01-01"}}
    StumpClassifier(domain=days, ledger=ledger).fit(column, labels)
    told = StumpClassifier(domain={"c": ("a", "b")}, classes=("b", "a"), ledger=ledger)
    told.fit(column, column["c"])
    assert len(ledger.entries) == 3
