"""Parquet files that a Spark frame consists of: counted and looked at without a job of Spark."""

import shutil

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.tools.spark import local

pyspark = pytest.importorskip(
    "pyspark", reason="Spark is not installed (pip install 'tacit[spark]')"
)

pytestmark = [
    pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs Java 17"),
    pytest.mark.filterwarnings("ignore"),
]

ROWS = 5000


@pytest.fixture(scope="module")
def spark():
    with local("local[2]") as session:
        yield session


def _table(offset=0):
    numbers = np.arange(offset, offset + ROWS)
    kinds = {"x": numbers, "y": numbers % 2 == 0, "a.b": numbers / 7}
    return pa.table(kinds | {"word": [f"{number}" for number in numbers.tolist()]})


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("people")
    for part in range(2):
        pq.write_table(_table(part * ROWS), place / f"{part}.parquet", row_group_size=1000)
    return place


@pytest.fixture
def no_jobs(monkeypatch):
    """Whatever would start a job of Spark fails."""
    from tacit.sources.spark import SparkTable

    def job(*_):
        raise AssertionError("a job was started")

    monkeypatch.setattr(SparkTable, "_tried", job)


def test_records_of_plain_files_are_counted_and_looked_at_without_a_job(spark, folder, no_jobs):
    from tacit.sources.spark import SparkTable

    for path, files in ((folder, 2), (folder / "1.parquet", 1)):
        source = SparkTable(spark.read.parquet(str(path)))
        assert source.count() == files * ROWS
        names = ["word", "x", "a.b", "y"]
        looks = list(source.some(names))
        assert len(looks) == 4
        assert {batch.num_rows for batch in looks} == {1000}
        for batch in looks:
            assert batch.schema.names == names
            words, numbers = batch.column(0).to_pylist(), batch.column(1).to_pylist()
            assert words == [str(number) for number in numbers]
            assert batch.column(3).to_pylist() == [number % 2 == 0 for number in numbers]
    alias = spark.read.parquet(str(folder)).alias("people")
    assert SparkTable(alias).count() == 2 * ROWS


def test_other_frames_are_asked_of_spark(spark, folder, monkeypatch):
    from tacit.sources.spark import _LOOK, SparkTable

    frame, read = spark.read.parquet(str(folder)), spark.read
    kept = spark.read.parquet(str(folder / "0.parquet"))
    others = {
        "filtered": (frame.where("x < 10"), 10),
        "limited": (frame.limit(7), 7),
        "twice": (frame.union(frame), 4 * ROWS),
        "merged": (read.option("mergeSchema", "true").parquet(str(folder)), 2 * ROWS),
        "sampled": (frame.where("x % 2 = 0"), ROWS),
        "made": (spark.range(12).withColumnRenamed("id", "x"), 12),
        "kept": (kept.cache(), ROWS),
    }
    for name, (other, rows) in others.items():
        source = SparkTable(other)
        assert source._parquet == (), name
        assert source.count() == rows
        assert sum(batch.num_rows for batch in source.some(["x"])) == min(rows, _LOOK)
    kept.unpersist()
    spark.conf.set("spark.sql.files.ignoreCorruptFiles", "true")
    try:
        assert SparkTable(frame)._parquet == ()
    finally:
        spark.conf.unset("spark.sql.files.ignoreCorruptFiles")
    plain = SparkTable(frame)
    assert len(plain._parquet) == 2

    def refused(*_):
        raise pa.ArrowInvalid("values")

    for name in ("rows_of", "some_of"):
        monkeypatch.setattr(f"tacit.sources.spark.{name}", refused)
    assert plain.count() == 2 * ROWS
    assert sum(batch.num_rows for batch in plain.some(["x"])) > 0


def test_files_that_are_named_twice_are_counted_as_spark_reads_them(spark, folder):
    from tacit.sources.spark import SparkTable

    one = str(folder / "0.parquet")
    for paths in ((one, one), (str(folder), one), (str(folder), f"{folder}/")):
        frame = spark.read.parquet(*paths)
        source = SparkTable(frame)
        assert source._parquet == ()
        assert source.count() == frame.count() > ROWS
        assert sum(batch.num_rows for batch in source.batches(["x"])) == frame.count()


def test_files_that_were_written_again_are_counted_as_spark_reads_them(spark, tmp_path):
    from tacit.sources.spark import SparkTable

    path = tmp_path / "people #1 ü%20.parquet"
    pq.write_table(_table(), path)
    frame = spark.read.parquet(str(path))
    assert SparkTable(frame)._parquet == (path,)
    pq.write_table(pa.concat_tables([_table(), _table(ROWS)]), path)
    assert SparkTable(frame)._parquet == ()


def test_a_summary_of_the_files_is_no_file_of_records(spark, tmp_path):
    from tacit.sources.spark import SparkTable

    said = []
    for part in range(2):
        pq.write_table(_table(part * ROWS), tmp_path / f"{part}.parquet", metadata_collector=said)
        said[-1].set_file_path(f"{part}.parquet")
    pq.write_metadata(_table().schema, tmp_path / "_metadata", metadata_collector=said)
    frame = spark.read.parquet(str(tmp_path))
    assert len(frame.inputFiles()) == 3  # Spark names it, and does not read it
    source = SparkTable(frame)
    assert source.count() == frame.count() == 2 * ROWS
    assert sum(batch.num_rows for batch in source.some(["x"])) > 0


def test_records_are_those_of_the_row_groups_whatever_the_file_says_in_all(spark, tmp_path):
    from tacit.sources.spark import SparkTable

    path = tmp_path / "a.parquet"
    pq.write_table(_table().select(["x"]), path, row_group_size=1000)
    data = path.read_bytes()
    sound, other = (
        b"\x16\x90\x4e\x19",
        b"\x16\x92\x4e\x19",
    )  # 5000 records; 5001, then the row groups
    assert data.count(sound) == 1
    path.write_bytes(data.replace(sound, other))
    assert pq.read_metadata(path).num_rows == ROWS + 1
    frame = spark.read.parquet(str(path))
    source = SparkTable(frame)
    assert source._parquet == (path,)
    assert source.count() == frame.count() == ROWS


def test_many_files_are_asked_of_spark(spark, tmp_path):
    from tacit.sources.spark import SparkTable

    for place in range(65):
        pq.write_table(pa.table({"x": [place]}), tmp_path / f"{place}.parquet")
    source = SparkTable(spark.read.parquet(str(tmp_path)))
    assert source._parquet == ()
    assert source.count() == 65


def test_a_column_that_the_files_do_not_have_is_asked_of_spark(spark, tmp_path):
    from tacit.sources.spark import SparkTable

    folder = str(tmp_path / "parts")
    spark.createDataFrame([(1, 2), (3, 4)], "x int, y int").write.partitionBy("y").parquet(folder)
    source = SparkTable(spark.read.parquet(folder))
    assert source.count() == 2
    found = pa.Table.from_batches(source.some(["x", "y"])).to_pylist()
    assert sorted(tuple(row.values()) for row in found) == [(1, 2), (3, 4)]
    day = spark.read.schema("x bigint").parquet(str(tmp_path / "parts"))
    assert pa.Table.from_batches(SparkTable(day).some(["x"])).schema.types == [pa.int64()]
