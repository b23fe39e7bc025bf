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
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.engine_files import memory, parquet, piece, task, text
from benchmarks.harness import Row, in_turns, report
from tacit import Ledger, learn
from tacit.estimators import TreeClassifier

ROWS = int(os.environ.get("ROWS", 10**7))
SERVED = min(ROWS, 10**7)
_TREE = ("c0", "c1", "c2", "c3")
_BINS = 16
_BRANCHES = "tree of depth 2, four columns"


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
        load(address, "known", _records())
        with dbapi.connect(address, autocommit=True) as connection, connection.cursor() as cursor:
            # The planner chooses other ways for a table that it has statistics of.
            cursor.execute("CREATE TABLE unknown (LIKE known) WITH (autovacuum_enabled = off)")
            cursor.execute("INSERT INTO unknown SELECT * FROM known")
            cursor.execute("VACUUM unknown")
            cursor.execute("VACUUM ANALYZE known")

        def asked(table: str) -> object:
            query = f"SELECT x >> 18 AS c, y, count(*) FROM {table} GROUP BY 1, 2"
            with dbapi.connect(address) as connection, connection.cursor() as cursor:
                cursor.execute(query)
                return cursor.fetch_arrow_table()

        def fresh(name: str, work: Callable[[PostgresTable], object]) -> object:
            """A transaction of its own, so that nothing is known of the table."""
            table = PostgresTable(address, table=name)
            found = work(table)
            table.close()
            return found

        def streamed(name: str, columns: list[str]) -> object:
            return fresh(name, lambda table: sum(b.num_rows for b in table.batches(columns)))

        works: dict[str, Callable[[], object]] = {
            "tree": lambda: fresh("known", lambda table: _tree().fit_file(table, label="y")),
            "columns": lambda: streamed("known", [*_TREE, "y"]),
        }
        for name in ("known", "unknown"):
            works |= {
                f"ours, {name}": partial(fresh, name, _learned),
                f"grouped, {name}": partial(asked, name),
                f"stream, {name}": partial(streamed, name, ["x", "y"]),
            }
        took = in_turns(works)
    rows = []
    for name, told in (("known", "analysed"), ("unknown", "not analysed")):
        ours, floors = took[f"ours, {name}"], (took[f"grouped, {name}"], took[f"stream, {name}"])
        work = f"threshold, {SERVED:.0e} rows in Postgres, {told}"
        rows += [
            Row(work, "its GROUP BY", ours, floors[0]),
            Row(work, "a stream of the columns", ours, floors[1]),
            Row(work, "the faster of the two", ours, min(floors), 1.3),
        ]
    work = f"{_BRANCHES}, {SERVED:.0e} rows in Postgres"
    return [*rows, Row(work, "a stream of the columns", took["tree"], took["columns"], 1.3)]


def _empty(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    rows = sum(batch.num_rows for batch in batches)
    yield pa.RecordBatch.from_arrays([pa.array([rows])], names=["rows"])


def _session(builder: Any) -> Any:
    """Spark on this machine, with two workers."""
    session = (
        builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.memory", "4g")  # a stream of five columns does not fit one
        .config("spark.io.encryption.enabled", "true")
        .config("spark.sql.shuffle.partitions", "2")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    return session


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
    session = _session(SparkSession.builder)
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

        took = in_turns(
            {
                "ours": lambda: _learned(SparkTable(frame)),
                "grouped": asked,
                "mapped": emptied(two),
                "stream": streamed(two),
                "tree": lambda: _tree().fit_file(SparkTable(frame), label="y"),
                "mapped, columns": emptied(five),
                "stream, columns": streamed(five),
            },
            warm=12,  # the virtual machine compiles what runs often, both ours and its own
            rounds=15,
        )
    finally:
        session.stop()
    of, ours = f"{SERVED:.0e} rows in Spark", took["ours"]
    fastest = min(took["grouped"], took["mapped"], took["stream"])
    columns = min(took["mapped, columns"], took["stream, columns"])
    return [
        Row(f"threshold, {of}", "its GROUP BY", ours, took["grouped"]),
        Row(f"threshold, {of}", "an empty mapInArrow", ours, took["mapped"]),
        Row(f"threshold, {of}", "a stream of the columns", ours, took["stream"]),
        Row(f"threshold, {of}", "the fastest of the three", ours, fastest, 1.3),
        Row(
            f"tree of depth 2, four columns, {of}",
            "mapInArrow or stream",
            took["tree"],
            columns,
            1.3,
        ),
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
