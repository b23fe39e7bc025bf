"""Persons from every source: the same release, in every order; nothing said about rows."""

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.sources.persons_cases import (
    PERSONS,
    TABLE,
    FilteredFrame,
    _task,
    odd_table,
    same_rows,
)
from tests.sources.postgres_server import load, server, why_not

from tacit.accounting import About, Ledger
from tacit.api import learn, sanitize
from tacit.checks.testing import seeded
from tacit.classes import Points, Thresholds
from tacit.core import Accuracy, BadInput, BudgetRefused, Privacy, Task
from tacit.report.release_file import release_record, release_text
from tacit.report.verify import verify
from tacit.sources import read
from tacit.sources.frames import FrameTable


def _learn(data, task=None, **more):
    given = {"label": "sick", "column": "x", "positive": "yes", "ledger": Ledger.memory(5)} | more
    return learn(_task() if task is None else task, data, rng=seeded(3), **given)


def _sources(folder):
    shuffled = TABLE.take(pa.array(np.random.default_rng(0).permutation(len(TABLE))))
    pq.write_table(TABLE, folder / "a.parquet")
    pq.write_table(shuffled, folder / "b.parquet", row_group_size=50)
    TABLE.to_pandas().to_csv(folder / "a.csv", index=False)
    shuffled.to_pandas().to_csv(folder / "b.csv", index=False, sep=";")
    frame = TABLE.to_pandas()
    frame["sick"] = frame["sick"].astype("category")
    return {
        "parquet": folder / "a.parquet",
        "parquet in another order": folder / "b.parquet",
        "csv": folder / "a.csv",
        "csv in another order": read(folder / "b.csv", delimiter=";"),
        "arrow": TABLE,
        "arrow batches": pa.Table.from_batches(shuffled.to_batches(max_chunksize=7)),
        "pandas": frame,
        "pandas with an index": frame.set_index(np.arange(len(frame))[::-1]),
        "polars": pl.from_arrow(TABLE),
        "polars in another order": pl.from_arrow(shuffled),
    }


@pytest.mark.parametrize("rows", [1, 3])
def test_the_same_release_from_every_source(tmp_path, rows):
    task = _task(rows)
    found = {name: _learn(data, task) for name, data in _sources(tmp_path).items()}
    arrays = (TABLE.column("x").to_numpy(), np.array(TABLE.column("sick").to_pylist()))
    found["arrays"] = learn(
        task,
        arrays,
        positive="yes",
        groups=TABLE.column("id"),
        ledger=Ledger.memory(5),
        rng=seeded(3),
    )
    assert len(found) == 11
    assert len({one.value.rule for one in found.values()}) == 1
    assert {one.value.label.name for one in found.values()} == {"sick", None}
    assert {one.certified.n for one in found.values()} == {PERSONS}


@pytest.mark.skipif(why_not() is not None, reason=why_not() or "")
def test_the_same_release_from_postgres():
    from tacit.sources.postgres import PostgresTable

    with server() as address:
        load(address, "visits", TABLE)
        source = PostgresTable(address, table="visits")
        found = _learn(source)
        source.close()
        load(address, "odd", odd_table())
        source = PostgresTable(address, table="odd")
        same_rows(source, FrameTable(odd_table()))
        source.close()
    assert found.value == _learn(TABLE).value
    assert found.certified.n == PERSONS


@pytest.mark.parametrize("rows", [1, 3, 200])
def test_a_person_is_not_cut_in_two(rows):
    from tacit.sources.postgres import whole_persons

    ids = np.repeat(np.arange(40), np.random.default_rng(rows).integers(1, 60, 40))
    table = pa.table({"id": ids, "x": np.arange(len(ids))})
    parts = list(whole_persons(iter(table.to_batches(max_chunksize=rows))))
    assert pa.concat_tables(parts).equals(table)
    persons = [set(part.column("id").to_pylist()) for part in parts]
    assert sum(map(len, persons)) == 40


def test_another_person_moves_nobody_else():
    """A person with a thousand rows, or with none that has an id, changes no other's rows."""
    from tacit.sources.samples import as_sample

    def kept(table, rows=3):
        persons = as_sample(
            table,
            domain=Thresholds(size=1000).domain,
            label="sick",
            column="x",
            positive="yes",
            unit="id",
        )
        found = persons.at_most(rows)
        return sorted(zip(found.sample.x.tolist(), found.sample.y.tolist(), strict=True))

    base = kept(TABLE)
    crowd = pa.table({"id": ["zz"] * 1000, "x": [999] * 1000, "sick": ["yes"] * 1000})
    assert kept(pa.concat_tables([crowd, TABLE])) == sorted([*base, *[(999, True)] * 3])
    nobody = pa.table({"id": [None] * 500, "x": [1] * 500, "sick": ["no"] * 500})
    nobody = nobody.cast(TABLE.schema)
    assert kept(pa.concat_tables([TABLE, nobody])) == base


@pytest.mark.parametrize("relation", ["replace-one", "add-remove"])
def test_nothing_says_how_many_rows_there_are(tmp_path, relation):
    release = _learn(TABLE, _task(relation=relation))
    rows = str(len(TABLE))
    told = release.certified.to_markdown() + release.certified.to_json() + str(release)
    record = release_record(release, about=About(), counted=True)
    told += release_text(record) + repr(release)
    assert rows not in told
    assert (f" {PERSONS} persons" in told) == (relation == "replace-one")
    assert "'id'" in release.certified.to_markdown()
    assert record["certificate"]["asked"]["unit"] == "id"
    assert record["certificate"]["asked"]["rows_per_unit"] == 3


def test_a_ledger_for_persons_refuses_rows(tmp_path):
    ledger = Ledger.create(tmp_path / "l.db", 5, data_set="visits", unit="id")
    plain = Task(Thresholds(size=1000), privacy=Privacy(1), accuracy=Accuracy("0.2", "0.1"))
    with pytest.raises(BudgetRefused, match="protects each id"):
        _learn(TABLE.drop(["id"]), plain, ledger=ledger)
    _learn(TABLE, ledger=ledger)
    (entry,) = ledger.entries
    assert (entry.about.unit, entry.about.rows_per_unit) == ("id", "3")
    other = Task(
        Thresholds(size=1000),
        privacy=Privacy(1, unit="ward"),
        accuracy=Accuracy("0.2", "0.1"),
    )
    with pytest.raises(BudgetRefused, match="protects each id"):
        _learn(TABLE.rename_columns(["ward", "x", "sick"]), other, ledger=ledger)


@pytest.mark.parametrize(
    ("table", "more", "words"),
    [
        (TABLE.drop(["id"]), {}, "no column 'id'"),
        (TABLE, {"column": "id"}, "id"),
        (TABLE, {"label": "id"}, "id"),
        (TABLE, {"groups": [1]}, "groups= is for arrays"),
        (TABLE.set_column(0, "id", pa.array([1.0] * len(TABLE))), {}, "pandas makes floats"),
        (TABLE.set_column(0, "id", pa.array([True] * len(TABLE))), {}, "ids must be text"),
        (TABLE.set_column(0, "id", pa.array([None] * len(TABLE), pa.string())), {}, "no persons"),
    ],
    ids=range(7),
)
def test_what_is_refused_before_the_charge(table, more, words):
    ledger = Ledger.memory(5)
    with pytest.raises(BadInput, match=words):
        _learn(table, ledger=ledger, **more)
    assert ledger.entries == ()


def test_arrays_need_their_ids():
    x, y = np.arange(10), np.arange(10) > 4
    with pytest.raises(BadInput, match="pass groups="):
        learn(_task(), (x, y))
    with pytest.raises(BadInput, match="one id per record"):
        learn(_task(), (x, y), groups=[1, 2])
    for odd in (5, "a" * 10, {1: 2}, set(range(10)), iter(x), np.zeros((10, 2), dtype=int)):
        with pytest.raises(BadInput, match="one id per record"):
            learn(_task(), (x, y), groups=odd)
    with pytest.raises(BadInput, match="unit="):
        learn(_task().with_(unit=None, rows_per_unit=1), (x, y), groups=x)


def test_synthetic_tables_of_persons():
    ids = np.repeat(np.arange(400), 3)
    values = np.tile([1, 2, 3], 400)
    release = sanitize(
        values,
        Points(size=8),
        privacy=Privacy(2, unit="id", rows_per_unit=1),
        groups=ids,
        ledger=Ledger.memory(2),
        rng=seeded(1),
    )
    assert release.certified.n == 400
    assert "rows that were kept of them" in release.certified.to_markdown()


def test_privacy_says_what_is_wrong():
    for wrong in ({"rows_per_unit": 2}, {"unit": ""}, {"unit": "record"}, {"unit": 7}):
        with pytest.raises(BadInput):
            Privacy(1, **wrong)
    with pytest.raises(BadInput, match="label"):
        Privacy(1, relation="label", unit="id", rows_per_unit=2)
    with pytest.raises(BadInput, match="rows="):
        _task().with_(unit=None, rows_per_unit=1, rows="independent")
    task = _task(2).with_(rows="independent")
    assert "for each id (at most 2 rows)" in task.describe()


def test_labels_that_were_not_declared_stay_so():
    """Rows that differ in that alone are told apart, whatever order they come in."""
    from tacit.core import Sample
    from tacit.domains import Integers
    from tacit.domains.labels import fitting, truth
    from tacit.sources.persons import ArrayPersons

    y = np.array(["yes", "no", None, "maybe", "no"], dtype=object)
    found = []
    for order in ([0, 1, 2, 3, 4], [4, 2, 0, 1, 3]):
        sample = Sample(np.zeros(5, dtype=int), y[order], "yes", "no")
        persons = ArrayPersons(sample, ids=["a"] * 5, domain=Integers(size=2))
        kept = persons.at_most(3).sample
        found.append((truth(kept).tolist(), fitting(kept).tolist()))
    assert found[0] == found[1]
    whole = ArrayPersons(sample, ids=["a"] * 5, domain=Integers(size=2)).at_most(9).sample
    assert (truth(whole).sum(), fitting(whole).sum()) == (1, 3)


def _visits(folder):
    """A table of visits as a frame and as a file, the rows of the file in another order."""
    made = np.random.default_rng(2)
    ids = made.integers(0, 400, 1500)
    age = made.integers(0, 100, 1500)
    sick = np.where(age >= 50, "yes", "no")
    table = pa.table({"id": [f"p{one}" for one in ids], "age": age, "sick": sick.tolist()})
    shuffled = table.take(pa.array(made.permutation(1500)))
    pq.write_table(shuffled, folder / "visits.parquet", row_group_size=100)
    return table, folder / "visits.parquet", len(set(ids.tolist()))


@pytest.mark.parametrize("rows", [1, 3])
def test_table_classifiers_learn_from_persons(tmp_path, rows):
    from tacit.estimators import TreeClassifier

    table, path, persons = _visits(tmp_path)

    def model():
        return TreeClassifier(
            domain={"age": (0, 100)},
            classes=("no", "yes"),
            depth=1,
            ledger=Ledger.memory(1),
            rng=seeded(3),
        )

    frame = table.to_pandas()
    one = model().fit(frame[["age"]], frame["sick"], groups=frame["id"], rows_per_unit=rows)
    other = model().fit_file(path, label="sick", unit="id", rows_per_unit=rows)
    assert one.describe() == other.describe()
    assert one.certificate_.n == other.certificate_.n == persons
    assert other.certificate_.asked.unit == "id"
    assert "1500" not in other.certificate_.to_markdown()
    (entry,) = other.ledger.entries
    assert entry.about.unit == "id"
    with pytest.raises(BadInput, match="tells persons apart"):
        model().fit_file(path, label="sick", unit="age")


@pytest.mark.parametrize("relation", ["replace-one", "label", "add-remove"])
def test_a_query_with_conditions_protects_no_persons(relation):
    """How many persons meet the conditions was told as a public number."""
    from tacit.estimators import TreeClassifier

    book = Ledger.memory()
    told = TreeClassifier(domain={"x": (0, 999)}, classes=("no", "yes"), ledger=book)
    told.set_params(relation=relation)
    with pytest.raises(BadInput, match="does not protect persons: leave out WHERE"):
        told.fit_file(FilteredFrame(TABLE), label="sick", unit="id")
    with pytest.raises(BadInput, match="does not protect persons: leave out WHERE"):
        _learn(FilteredFrame(TABLE), _task(1, relation), ledger=book)
    assert not book.entries


def test_a_model_from_the_command_line_protects_persons(tmp_path, capsys):
    from tacit.cli import main

    _, path, persons = _visits(tmp_path)
    (tmp_path / "s.toml").write_text('[columns.age]\nkind = "integer"\nlow = 0\nhigh = 100\n')
    ledger = str(tmp_path / "l.db")
    Ledger.create(ledger, 3, data_set="visits", unit="id")
    words = ["learn", str(path), "--schema", str(tmp_path / "s.toml"), "--label", "sick"]
    words += ["--positive", "yes", "--negative", "no", "--epsilon", "1", "--ledger", ledger]
    assert main([*words, "--depth", "1"]) == 3
    assert "protects each id" in capsys.readouterr().err
    out = tmp_path / "release.json"
    assert main([*words, "--depth", "1", "--unit", "id", "-o", str(out)]) == 0
    assert f"{persons}; how many rows they have is private" in " ".join(
        capsys.readouterr().out.split()
    )
    assert verify(out, ledger=Ledger.open(ledger)), str(verify(out))
    assert main([*words, "--unit", "id", "--rows", "independent"]) == 2


def test_a_lazy_frame_is_told_so():
    with pytest.raises(BadInput, match="collect"):
        _learn(pl.from_arrow(TABLE).lazy())


def test_an_epsilon_beyond_all_floats_is_planned():
    from tacit.planner import plan

    task = _task().with_(epsilon=10**6, delta="1e-6", rows="independent")
    assert plan(task).best is not None


def test_ids_of_a_type_that_arrow_does_not_know_are_refused():
    task = Task(
        Thresholds(size=8),
        privacy=Privacy(1, unit="id"),
        accuracy=Accuracy("0.2", "0.2"),
    )
    x = np.arange(40) % 8
    with pytest.raises(BadInput, match="text or whole numbers"):
        learn(task, (x, x >= 4), groups=np.arange(40) * 1j, ledger=Ledger.memory())


def test_what_a_release_for_persons_would_cost_is_told_with_its_ledger(tmp_path, capsys):
    """A ledger that is kept for persons refused the same release when it was only asked."""
    from tacit.cli import main

    TABLE.to_pandas().to_csv(tmp_path / "a.csv", index=False)
    ledger = str(tmp_path / "b.db")
    made = ["budget", "create", ledger, "--epsilon", "3", "--unit", "id", "--data-set", "visits"]
    assert main(made) == 0
    words = [
        "learn", str(tmp_path / "a.csv"), "--label", "sick", "--positive", "yes", "--epsilon", "1",
        "--class", "thresholds", "--size", "1000", "--column", "x", "--ledger", ledger,
    ]  # fmt: skip
    assert main([*words, "--unit", "id", "--dry-run"]) == 0
    assert main([*words, "--dry-run"]) == 3
    assert main([*words, "--unit", "id", "-o", str(tmp_path / "r.json")]) == 0
    assert "sick is yes if x >= " in " ".join(capsys.readouterr().out.split())


def test_lines_that_cannot_be_read_belong_to_nobody(tmp_path):
    """Broken lines of several persons had one id, so one of them could move two persons."""
    from tacit.domains.schema import Schema
    from tacit.sources import read
    from tacit.sources.samples import as_sample

    path = tmp_path / "t.csv"
    path.write_text("id,age,y\na,1,0\nbroken\nb,2,1\nbroken,too\n")
    source = read(path, quote=None)
    persons = as_sample(source, domain=Schema.of({"age": (0, 9)}), label="y", unit="id")
    assert source.count() == 4
    assert persons.number == 2
    assert len(persons.at_most(4).sample) == 2
