"""Learning from files and servers beside what the engines need for the same counts.

``ROWS=100000000 python -m benchmarks.engines`` for long files; servers get at most 10^7 rows.
Postgres is started in a temporary folder on loopback and Spark on this machine, if they are
installed; each is left out with a word if not.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.engine_files import memory, parquet, piece, task, text
from benchmarks.harness import Row, best_of, report
from tacit import Ledger, learn
from tacit.estimators import TreeClassifier

ROWS = int(os.environ.get("ROWS", 10**7))
SERVED = min(ROWS, 10**7)
_TREE = ("c0", "c1", "c2", "c3")
_BINS = 16


def _learned(data: object) -> object:
    return learn(task(), data, ledger=Ledger.memory(), label="y", column="x")


def _tree() -> TreeClassifier:
    domain = dict.fromkeys(_TREE, (0.0, 1.0))
    return TreeClassifier(domain=domain, epsilon=1, depth=2, bins=_BINS, ledger=Ledger.memory())


def _records() -> pa.Table:
    generator = np.random.default_rng(0)
    return piece(generator, SERVED).select(["x", "y", *_TREE])


def postgres() -> list[Row]:
    from tests.sources.postgres_server import load, server, why_not

    if (reason := why_not()) is not None:
        print(f"Postgres is left out: {reason}")
        return []
    from adbc_driver_postgresql import dbapi

    from tacit.sources.postgres import PostgresTable

    with server() as address:
        load(address, "records", _records())

        def asked(query: str) -> Callable[[], object]:
            def run() -> object:
                with dbapi.connect(address) as connection, connection.cursor() as cursor:
                    cursor.execute(query)
                    return cursor.fetch_arrow_table()

            return run

        def fresh(work: Callable[[object], object]) -> Callable[[], object]:
            """A transaction of its own, so that nothing is known of the table."""

            def run() -> object:
                table = PostgresTable(address, table="records")
                found = work(table)
                table.close()
                return found

            return run

        def streamed(columns: list[str]) -> Callable[[], object]:
            return fresh(lambda table: sum(b.num_rows for b in table.batches(columns)))  # type: ignore[attr-defined]

        ours = best_of(fresh(_learned), times=2)
        grouped = best_of(
            asked("SELECT x >> 18 AS c, y, count(*) FROM records GROUP BY 1, 2"), times=2
        )
        stream = best_of(streamed(["x", "y"]), times=2)
        tree = best_of(fresh(lambda table: _tree().fit_file(table, label="y")), times=1)
        columns = best_of(streamed([*_TREE, "y"]), times=1)
    of = f"{SERVED:.0e} rows in Postgres"
    return [
        Row(f"threshold, {of}", "its GROUP BY", ours, grouped),
        Row(f"threshold, {of}", "a stream of the columns", ours, stream),
        Row(f"threshold, {of}", "the faster of the two", ours, min(grouped, stream), 1.3),
        Row(f"tree of depth 2, four columns, {of}", "a stream of the columns", tree, columns, 1.3),
    ]


def _empty(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    rows = sum(batch.num_rows for batch in batches)
    yield pa.RecordBatch.from_arrays([pa.array([rows])], names=["rows"])


def spark(folder: Path) -> list[Row]:
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        print("Spark is left out: pip install 'tacit[spark]'")
        return []
    if shutil.which("java") is None:
        print("Spark is left out: it needs Java 17")
        return []
    from tacit.sources.spark import SparkTable

    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["PYTHONPATH"] = os.pathsep.join(sys.path)  # the workers import this very copy
    path = folder / "spark.parquet"
    pq.write_table(_records(), path, row_group_size=SERVED // 8)
    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.memory", "4g")  # a stream of five columns does not fit one
        .config("spark.io.encryption.enabled", "true")
        .config("spark.sql.shuffle.partitions", "2")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    try:
        frame = session.read.parquet(str(path))
        two, five = frame.select("x", "y"), frame.select(*_TREE, "y")

        def emptied(columns: object) -> Callable[[], object]:
            return lambda: columns.mapInArrow(_empty, "rows bigint").collect()  # type: ignore[attr-defined]

        def streamed(columns: object) -> Callable[[], object]:
            return lambda: columns.toArrow().num_rows  # type: ignore[attr-defined]

        def asked() -> object:
            """A query of its own each time: Spark keeps what one has shuffled."""
            cells = two.selectExpr("shiftright(x, 18) AS c", "y")
            return cells.groupBy("c", "y").count().collect()

        ours = best_of(lambda: _learned(SparkTable(frame)), times=2)
        grouped = best_of(asked, times=2)
        mapped = best_of(emptied(two), times=2)
        stream = best_of(streamed(two), times=2)
        tree = best_of(lambda: _tree().fit_file(SparkTable(frame), label="y"), times=2)
        columns = min(best_of(emptied(five), times=2), best_of(streamed(five), times=2))
    finally:
        session.stop()
    of = f"{SERVED:.0e} rows in Spark"
    fastest = min(grouped, mapped, stream)
    return [
        Row(f"threshold, {of}", "its GROUP BY", ours, grouped),
        Row(f"threshold, {of}", "an empty mapInArrow", ours, mapped),
        Row(f"threshold, {of}", "a stream of the columns", ours, stream),
        Row(f"threshold, {of}", "the fastest of the three", ours, fastest, 1.3),
        Row(f"tree of depth 2, four columns, {of}", "mapInArrow or stream", tree, columns, 1.3),
    ]


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        report("Learning from files", parquet(folder, ROWS))
        memory(folder, ROWS)
        report("Learning from text", text(folder, ROWS))
        report("Learning from Postgres", postgres())
        report("Learning from Spark", spark(folder))


if __name__ == "__main__":
    main()
