"""Spark in local mode: the same releases, counted in the workers, and never twice."""

import os
import shutil
from importlib.metadata import version

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.sources.kinds_cases import SCHEMA, records
from tests.tools.spark import local

from tacit import Accuracy, Ledger, Privacy, Task, learn
from tacit.classes import Thresholds
from tacit.core import BadInput, NamedRule, SourceChanged
from tacit.core.tally import fold
from tacit.estimators import TreeClassifier
from tacit.sources.batch_reading import TableReading
from tacit.sources.same import share_records
from tacit.tallies.few_cells import KindCounts
from tacit.testing import seeded

pyspark = pytest.importorskip(
    "pyspark", reason="Spark is not installed (pip install 'tacit[spark]')"
)

pytestmark = [
    pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs Java 17"),
    pytest.mark.filterwarnings("ignore"),
]

ROWS = 6000


def _table():
    generator = np.random.default_rng(1)
    x = generator.integers(0, 1 << 20, ROWS)
    y = np.where(generator.random(ROWS) < 0.2, x < 600_000, x >= 600_000).astype(np.int64)
    return pa.table({"x": x, "label": y, "age": generator.normal(50, 20, ROWS)})


def _plain(rule):
    """The rule without the names that its table has."""
    return rule.rule if isinstance(rule, NamedRule) else rule


def _not_here(columns):
    raise AssertionError("records travelled; nothing but counts may")


@pytest.fixture(scope="module")
def spark():
    with local("local[2,4]") as session:  # a task may fail three times
        yield session


@pytest.fixture(scope="module")
def source(spark, tmp_path_factory):
    from tacit.sources.spark import SparkTable

    path = tmp_path_factory.mktemp("spark") / "people.parquet"
    pq.write_table(_table(), path)
    return SparkTable(spark.read.parquet(str(path)).repartition(5, "age"), name="people")


def test_the_same_threshold_as_from_arrays(source, monkeypatch):
    import tacit.problems.thresholds.thresholds as module

    monkeypatch.setattr(module, "_MANY_ROWS", 0)
    monkeypatch.setattr(source, "batches", _not_here)
    task = Task(
        Thresholds(bits=20), privacy=Privacy("0.5"), accuracy=Accuracy("0.2", "0.1"),
        setting="agnostic",
    )  # fmt: skip

    def rule(data, **names):
        return _plain(learn(task, data, ledger=Ledger.memory(), rng=seeded(4), **names).value)

    table = _table()
    arrays = tuple(table.column(name).to_numpy() for name in ("x", "label"))
    assert rule(source, label="label", column="x") == rule(arrays)


def test_columns_of_times_and_of_types_that_arrow_has_not_stop_nothing(spark):
    from tacit.sources.spark import SparkTable

    frame = spark.sql(
        "SELECT id AS x, timestamp_seconds(id * 86400) AS seen, INTERVAL 1 MONTH AS every, "
        "array(timestamp_seconds(id)) AS all_seen FROM range(40)"
    )
    table = SparkTable(frame, name="visits")
    assert table.types["seen"] == pa.timestamp("us", tz="UTC")
    model = TreeClassifier(
        domain={"seen": {"kind": "date", "low": "1970-01-01", "high": "1970-03-01"}},
        classes=(0, 1), epsilon=1, depth=1, ledger=Ledger.memory(),
    )  # fmt: skip
    model.fit_file(table, label="x")
    with pytest.raises(BadInput, match="nothing was charged"):
        model.set_params(domain={"every": (0, 1)}).fit_file(table, label="x")


def test_workers_keep_the_rows_of_persons(spark, tmp_path):
    from tests.sources.persons_cases import odd_table, same_rows

    from tacit.sources.frames import FrameTable
    from tacit.sources.spark import SparkTable

    pq.write_table(odd_table(), tmp_path / "odd.parquet", row_group_size=200)
    frame = spark.read.parquet(str(tmp_path / "odd.parquet")).repartition(3, "x")
    same_rows(SparkTable(frame, name="odd"), FrameTable(odd_table()))


@pytest.mark.usefixtures("spark")
def test_a_path_is_that_file_and_its_folders_are_no_columns(tmp_path):
    from tacit.sources.spark import open_spark

    folder = tmp_path / "sick=1"
    folder.mkdir()
    for name, sick in (("people[1].parquet", [0, 1, 0]), ("people1.parquet", [1, 1, 1, 1])):
        pq.write_table(pa.table({"sick": pa.array(sick)}), folder / name)
    for path, rows in ((folder / "people[1].parquet", 3), (tmp_path, 7)):
        table = open_spark(path=str(path))
        found = [value for batch in table.batches(["sick"]) for value in batch["sick"].to_pylist()]
        assert (len(found), sum(found)) == (rows, 1 if rows == 3 else 5)
    with pytest.raises(BadInput, match="does not know the path"):
        open_spark(path=str(folder / "people*.parquet"))


def test_the_same_tree_as_from_a_frame(source, monkeypatch):
    def model():
        return TreeClassifier(
            domain={"x": (0, 1 << 20), "age": (0.0, 100.0)}, epsilon=1, depth=2,
            ledger=Ledger.memory(), rng=seeded(2),
        )  # fmt: skip

    frame = _table().to_pandas()
    plain = model().fit(frame[["x", "age"]], frame.label)
    monkeypatch.setattr(source, "batches", _not_here)
    assert model().fit_file(source, label="label").rule_.to_dict() == plain.rule_.to_dict()


def test_spark_places_and_counts_as_we_do(spark, tmp_path):
    from tacit.domains.integers import Integers
    from tacit.sources.files import StreamedRecords, number_reading
    from tacit.sources.spark import SparkTable
    from tacit.tallies.arrays import fold_ahead
    from tacit.tallies.digits import LeadingCounts, Spans, TakeKeys
    from tacit.tallies.first import FirstPass
    from tacit.tallies.reading import Column, Label

    generator = np.random.default_rng(3)
    x = [None if i % 50 == 0 else int(v) for i, v in enumerate(generator.integers(-9, 99, 3000))]
    x[:4] = [1 << 20, (1 << 62) + 1, -(1 << 63), (1 << 20) - 1]
    y = [None if i % 40 == 0 else int(v) for i, v in enumerate(generator.integers(-1, 2, 3000))]
    odd = pa.table({"a.`b`": pa.array(x, pa.int64()), "y": pa.array(y, pa.int32())})
    pq.write_table(odd, tmp_path / "odd.parquet")
    source = SparkTable(spark.read.parquet(str(tmp_path / "odd.parquet")))
    reading = number_reading(source, columns=("a.`b`",), labels=("y",), positive=-1, exact=False)
    sample = StreamedRecords(source, reading)
    cells = Column(0, Integers(bits=20)), Label(1, positive=True)
    ends = np.array([0, 1 << 6, (1 << 20) - 64], dtype=np.uint64)
    spans = Spans.of(ends, ends + np.uint64(63), bits=20)
    count, take = LeadingCounts(*cells, 6, 1 << 14), TakeKeys(*cells, spans, 70)
    counted, taken = (
        fold_ahead(map(reading, source.batches(["a.`b`", "y"])), tally) for tally in (count, take)
    )
    with pytest.MonkeyPatch.context() as mine:
        mine.setattr(source, "batches", _not_here)
        mine.setattr("tacit.sources.spark.count_partition", None)  # Spark counts by itself
        assert (sample.fold(count).counts() == counted.counts()).all()
    assert counted.counts().sum() == 3000
    assert (sample.fold(take).sorted() == taken.sorted()).all()
    assert 0 < len(taken.sorted()) <= 3000
    kept = np.zeros(1 << 14, dtype=np.uint8)
    kept[[0, (1 << 14) - 1]] = 1
    for told in ({"kept": kept}, {"few": True}):
        first = FirstPass(*cells, 6, 1 << 14, **told)
        with pytest.MonkeyPatch.context() as mine:
            mine.setattr(source, "batches", _not_here)
            mine.setattr("tacit.sources.spark.count_partition", None)
            found, held = first.found(sample.fold(first))
        wanted = first.found(fold_ahead(map(reading, source.batches(["a.`b`", "y"])), first))
        assert (found == wanted[0]).all()
        assert (held.values == wanted[1].values).all()
        assert (held.inside == wanted[1].inside).all()
    assert sum(batch.num_rows for batch in source.some(["y", "a.`b`"])) == 3000


def test_a_look_keeps_values_and_reads_few_partitions(spark, tmp_path):
    from tacit.sources.spark import _LOOK, SparkTable

    numbers = np.arange(3 * _LOOK)
    real = np.where(numbers % 3 == 0, np.nan, numbers / 7).astype(np.float32)
    table = pa.table(
        {
            "x": numbers,
            "y": numbers % 2 == 0,
            "real": pa.array(real, mask=numbers % 5 == 0),
            "word": [None if n % 4 == 0 else f"{n} \u00e4" for n in numbers.tolist()],
            "day": pa.array(numbers.astype("datetime64[D]")),
        }
    )
    pq.write_table(table, tmp_path / "long.parquet", row_group_size=_LOOK)
    frame = spark.read.parquet(str(tmp_path / "long.parquet"))
    source, plain = SparkTable(frame.where("x >= 0")), ["word", "x", "y", "real"]  # no plain file
    (batch,) = source.some(plain)
    wanted = pa.Table.from_batches(source.batches(plain)).slice(0, _LOOK)
    assert batch.num_rows == _LOOK
    # Compared as texts: what is no number equals nothing, itself included.
    assert str(batch.to_pylist()) == str(wanted.to_pylist())
    assert not list(source.some(["x", "day"]))
    assert not list(SparkTable(frame.where("x < 0")).some(["x"]))

    read = spark.sparkContext.accumulator(0)

    def counted(batches):
        for each in batches:
            read.add(1)
            yield each

    many = frame.repartition(40).mapInArrow(counted, frame.schema)
    (batch,) = SparkTable(many).some(["x"])
    assert batch.num_rows == _LOOK
    assert 0 < read.value < 40  # each partition has a batch of its own


@pytest.mark.parametrize("declared", [False, True])
def test_spark_numbers_kinds_of_records_as_we_place_them(spark, tmp_path, declared):
    from tacit.sources.files import StreamedRecords
    from tacit.sources.spark import SparkTable

    pq.write_table(records(), tmp_path / "kinds.parquet", row_group_size=1000)
    frame = spark.read.parquet(str(tmp_path / "kinds.parquet")).repartition(3)
    source, kinds = SparkTable(frame), KindCounts(SCHEMA, declared=declared)
    reading = TableReading(columns=SCHEMA.names, labels=("y",), positive=1, negative=0)
    wanted = fold(map(reading, records().to_batches()), kinds).sum(axis=0)
    sample = StreamedRecords(source, reading)
    with pytest.MonkeyPatch.context() as mine:
        mine.setattr(source, "batches", _not_here)
        found = sample.fold(kinds)
        mine.setattr("tacit.sources.spark.kind_sql", lambda *_: None)  # our loops place them
        assert (sample.fold(kinds).sum(axis=0) == wanted).all()
    assert found.sum() == 3000
    assert (found.sum(axis=0) == wanted).all()


def test_a_file_that_is_written_again_ends_the_run(spark, tmp_path):
    from tacit.sources.spark import SparkTable

    path = tmp_path / "people.parquet"
    pq.write_table(_table(), path)
    source = SparkTable(spark.read.parquet(str(path)))
    source.check(["x"])
    assert len(list(source.batches(["x"]))) >= 1
    os.utime(path, (1, 1))  # as long as before, and as many rows
    with pytest.raises(SourceChanged, match="changed while it was read"):
        list(source.batches(["x"]))


def test_every_partition_is_counted_once_and_merged_by_workers(spark, tmp_path):
    from tacit.sources.spark import SparkTable

    class Rows:
        def zero(self):
            return [0, 0]

        def add(self, counter, batch):
            return [counter[0] + batch.num_rows, counter[1]]

        def merge(self, left, right):
            return [left[0] + right[0], left[1] + right[1]]

    path = tmp_path / "people.parquet"
    pq.write_table(_table(), path)
    for parts in (1, 7, 40):
        frame = spark.read.parquet(str(path)).repartition(parts, "age")
        assert SparkTable(frame).fold(["x"], lambda batch: batch, Rows()) == [ROWS, 0]


def test_a_partition_that_comes_twice_is_refused():
    from tacit.sources.spark_workers import merge_counters, result_row

    class Sum:
        def zero(self):
            return 0

        def merge(self, left, right):
            return left + right

    ours = version("tacit")
    once = list(merge_counters(ours, Sum(), iter([result_row([1], 5, 5), result_row([2], 6, 6)])))
    assert once[0].to_pylist()[0]["rows"] == 11
    with pytest.raises(ValueError, match="twice"):
        list(merge_counters(ours, Sum(), iter([result_row([1], 5, 5), result_row([1], 5, 5)])))


def test_a_partition_that_fails_is_one_clear_error(source):
    class Breaks:
        def zero(self):
            return 0

        def add(self, counter, batch):
            raise ValueError("the value 4711")

        def merge(self, left, right):
            return left + right

    with pytest.raises(SourceChanged, match="Spark failed") as lost:
        source.fold(["x"], lambda batch: batch, Breaks())
    assert "4711" not in str(lost.value)
    assert lost.value.__cause__ is None


def test_a_number_of_records_that_cannot_be_had_is_the_same_error(spark):
    from tacit.sources.spark import SparkTable

    texts = spark.createDataFrame([("12",), ("the value 4711",)], "a string")
    frame = texts.selectExpr("a", "CAST(a AS INT) AS n").where("n > 0")
    with pytest.raises(SourceChanged, match="Spark failed") as lost:
        SparkTable(frame).count()
    assert "4711" not in str(lost.value)
    assert lost.value.__cause__ is None


def _mortal(where, marker, *, once):
    """Counts rows; a worker process is killed in the middle, once or whenever it counts."""
    here, marker = os.getpid(), str(marker)

    class Mortal:  # inside, so that it is sent to the workers as it is
        def die(self, place):
            import os
            import signal

            if place != where or os.getpid() == here:
                return
            if once:
                try:
                    os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
                except FileExistsError:
                    return
            os.kill(os.getpid(), signal.SIGKILL)

        def zero(self):
            return 0

        def add(self, counter, batch):
            self.die("count")
            return counter + batch.num_rows

        def merge(self, left, right):
            self.die("merge")
            return left + right

    return Mortal()


@pytest.mark.parametrize("where", ["count", "merge"])
def test_a_worker_that_is_killed_is_counted_once_or_the_run_is_refused(source, tmp_path, where):
    marker = tmp_path / "killed"
    once = _mortal(where, marker, once=True)
    assert source.fold(["x"], lambda batch: batch, once) == ROWS
    assert marker.exists(), "no worker was killed"
    with pytest.raises(SourceChanged, match="Spark failed") as lost:
        source.fold(["x"], lambda batch: batch, _mortal(where, marker, once=False))
    assert lost.value.__cause__ is None


@pytest.mark.parametrize(("fails", "works"), [(4, True), (8, False)])
def test_a_pass_that_spark_gives_up_is_tried_once_more(source, tmp_path, fails, works):
    """Four tries of a task end a job here: the pass is begun anew, once."""
    tally = _mortal("count", tmp_path / "none", once=True)
    folder, here = str(tmp_path), os.getpid()

    def reading(batch):
        import os

        if os.getpid() != here and os.path.exists(f"{folder}/on"):
            for place in range(fails):
                try:
                    os.close(os.open(f"{folder}/{place}", os.O_CREAT | os.O_EXCL))
                except FileExistsError:
                    continue
                raise ValueError("the value 4711")
        return batch

    open(f"{folder}/none", "w").close()  # no worker dies
    open(f"{folder}/on", "w").close()
    one = type(source)(source._frame.coalesce(1), name="people")
    if works:
        assert one.fold(["x"], reading, tally) == ROWS
        return
    with pytest.raises(SourceChanged, match="Spark failed") as lost:
        one.fold(["x"], reading, tally)
    assert "4711" not in str(lost.value)
    assert lost.value.__cause__ is None


def test_a_killed_worker_changes_no_release_and_a_lost_run_keeps_its_charge(
    source, tmp_path, monkeypatch
):
    import tacit.problems.thresholds.thresholds as module

    monkeypatch.setattr(module, "_MANY_ROWS", 0)
    task = Task(
        Thresholds(bits=20), privacy=Privacy("0.5"), accuracy=Accuracy("0.2", "0.1"),
        setting="agnostic",
    )  # fmt: skip
    table, plain = _table(), type(source).fold
    arrays = tuple(table.column(name).to_numpy() for name in ("x", "label"))
    names = {"label": "label", "column": "x"}
    right = learn(task, arrays, ledger=Ledger.memory(), rng=seeded(4)).value
    for once in (True, False):
        mortal = _mortal("count", tmp_path / "killed", once=once)

        def fold(self, columns, read, tally, mortal=mortal):
            def reading(batch):
                mortal.add(0, batch)
                return read(batch)

            return plain(self, columns, reading, tally)

        monkeypatch.setattr(type(source), "fold", fold)
        ledger = Ledger.memory()
        if once:
            found = learn(task, source, ledger=ledger, rng=seeded(4), **names)
            assert _plain(found.value) == right
        else:
            with pytest.raises(SourceChanged):
                learn(task, source, ledger=ledger, rng=seeded(4), **names)
        assert len(ledger.entries) == 1, "what was charged stays charged"


def test_persons_whose_rows_are_in_several_partitions(spark, tmp_path):
    """The same rows are kept, wherever they are."""
    from tacit.sources.spark import SparkTable

    table = _table()
    ids = pa.array([f"p{place % 700}" for place in range(ROWS)])
    table = table.append_column("id", ids)
    pq.write_table(table, tmp_path / "visits.parquet")
    frame = spark.read.parquet(str(tmp_path / "visits.parquet")).repartition(5)
    task = Task(
        Thresholds(bits=20),
        privacy=Privacy(1, unit="id", rows_per_unit=3),
        accuracy=Accuracy("0.2", "0.1"),
    )
    found = [
        learn(task, data, label="label", column="x", ledger=Ledger.memory(), rng=seeded(4))
        for data in (SparkTable(frame), table)
    ]
    assert found[0].value == found[1].value
    assert [one.certified.n for one in found] == [700, 700]


def test_the_shell_lets_spark_read(spark, tmp_path, monkeypatch, capsys):
    from tacit.cli import main
    from tacit.report.release_file import load

    monkeypatch.chdir(tmp_path)
    pq.write_table(_table(), tmp_path / "t.parquet")
    (tmp_path / "s.toml").write_text('[columns.age]\nkind = "number"\nlow = 0\nhigh = 100\n')
    learn_it = ["learn", "t.parquet", "--label", "label", "--schema", "s.toml", "--model", "stump"]
    paid = ["--epsilon", "1", "--no-ledger"]
    assert main([*learn_it, *paid, "--engine", "spark", "-o", "spark.json"]) == 0
    assert load("spark.json").certificate.n == ROWS
    spark.read.parquet(str(tmp_path / "t.parquet")).createOrReplaceTempView("people")
    asked = ["schema", "init", "any", "--engine", "spark", "--table", "people", "--json"]
    capsys.readouterr()
    assert main(asked) == 0
    assert '"age"' in capsys.readouterr().out
    for wrong in (["--engine", "duck"], ["--engine", "spark", "--table", "none"]):
        assert main([*learn_it, *paid, *wrong]) == 2
    assert main(["learn", "t.csv", *learn_it[2:], *paid, "--engine", "spark"]) == 2
    assert "Spark reads Parquet here" in capsys.readouterr().err


def test_a_file_is_the_same_through_spark(spark, tmp_path):
    from tacit.sources.spark import SparkTable

    for name in ("one", "other"):
        pq.write_table(_table(), tmp_path / f"{name} file.parquet")
    one, again, other = (
        SparkTable(spark.read.parquet(str(tmp_path / f"{name} file.parquet")))
        for name in ("one", "one", "other")
    )
    assert share_records(one, again)
    assert share_records(one, tmp_path / "one file.parquet")
    assert share_records(SparkTable(spark.read.parquet(str(tmp_path))), other)
    assert not share_records(one, other)
    assert not share_records(tmp_path / "one file.parquet", other)
    made = spark.range(5)
    assert share_records(SparkTable(made), SparkTable(made))
