"""Learning from files and servers beside what the engines need for the same counts.

``ROWS=100000000 python -m benchmarks.engines`` for long files. Postgres is started in a
temporary folder on loopback if it is installed, and left out with a word if not.
"""

from __future__ import annotations

import os
import resource
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.harness import Row, best_of, report
from tacit import Accuracy, Ledger, Privacy, Task, learn
from tacit.classes import Thresholds
from tacit.estimators import TreeClassifier
from tacit.sources.opening import read

ROWS = int(os.environ.get("ROWS", 10**7))
_COLUMNS = 10


def _task() -> Task:
    return Task(Thresholds(bits=32), privacy=Privacy("0.1"), accuracy=Accuracy("0.01", "0.05"))


def _write(path: Path, rows: int) -> None:
    """A threshold's column and label, and ten columns of floats; a piece at a time."""
    generator = np.random.default_rng(0)
    writer = None
    for start in range(0, rows, 1 << 20):
        count = min(1 << 20, rows - start)
        x = generator.integers(0, 2**32, count)
        table = {"x": x, "y": (x >= 3 * 2**30).astype(np.int64)}
        table |= {f"c{j}": generator.random(count, dtype=np.float32) for j in range(_COLUMNS)}
        piece = pa.table(table)
        writer = writer or pq.ParquetWriter(path, piece.schema)
        writer.write_table(piece)
    assert writer is not None
    writer.close()


def _model(depth: int, columns: int) -> TreeClassifier:
    domain = {f"c{j}": (0.0, 1.0) for j in range(columns)}
    return TreeClassifier(domain=domain, epsilon=1, depth=depth, bins=64, ledger=Ledger.memory())


def files(folder: Path) -> list[Row]:
    import duckdb

    path = folder / "records.parquet"
    _write(path, ROWS)
    server = duckdb.connect()
    grouped = f"SELECT x >> 16 AS cell, y, count(*) FROM read_parquet('{path}') GROUP BY ALL"
    few = f"SELECT floor(c0 * 64) AS cell, y, count(*) FROM read_parquet('{path}') GROUP BY ALL"
    floor = best_of(lambda: server.sql(grouped).fetchall(), times=2)
    ledger = Ledger.memory()
    whole = best_of(lambda: learn(_task(), path, ledger=ledger, label="y", column="x"), times=2)
    source = read(path)
    source.check(["x", "y", *(f"c{j}" for j in range(_COLUMNS))])
    known = best_of(lambda: learn(_task(), source, ledger=ledger, label="y", column="x"), times=2)
    names = [f"c{j}" for j in range(_COLUMNS)]
    stream = best_of(lambda: sum(b.num_rows for b in source.batches([*names, "y"])), times=1)
    rows = [
        Row(f"threshold, {ROWS:.0e} rows of Parquet", "GROUP BY x >> 16, y", whole, floor, 0.5),
        Row("the same, file checked before", "GROUP BY x >> 16, y", known, floor, 0.5),
        Row(
            "stump on one column of 64 cells",
            "GROUP BY of the same cells",
            best_of(lambda: _model(1, 1).fit_file(source, label="y"), times=2),
            best_of(lambda: server.sql(few).fetchall(), times=2),
            1.3,
        ),
        Row(
            "tree of depth 2, ten columns of 64 cells",
            "reading the columns",
            best_of(lambda: _model(2, _COLUMNS).fit_file(source, label="y"), times=1),
            stream,
        ),
    ]
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB")
    return rows


def text(folder: Path) -> list[Row]:
    """A text file of at most 10^7 rows, beside DuckDB's GROUP BY of the same file."""
    import duckdb
    import pyarrow.csv as csv

    path, rows = folder / "records.csv", min(ROWS, 10**7)
    x = np.random.default_rng(0).integers(0, 2**32, rows)
    csv.write_csv(pa.table({"x": x, "y": (x >= 3 * 2**30).astype(np.int64)}), path)
    server, ledger = duckdb.connect(), Ledger.memory()
    grouped = f"SELECT x >> 16 AS cell, y, count(*) FROM read_csv('{path}') GROUP BY ALL"
    floor = best_of(lambda: server.sql(grouped).fetchall(), times=2)
    whole = best_of(lambda: learn(_task(), path, ledger=ledger, label="y", column="x"), times=2)
    source = read(path)
    source.check(["x", "y"])
    known = best_of(lambda: learn(_task(), source, ledger=ledger, label="y", column="x"), times=2)
    return [
        Row(f"threshold, {rows:.0e} rows of CSV", "GROUP BY x >> 16, y", whole, floor, 1.0),
        Row("the same, file checked before", "GROUP BY x >> 16, y", known, floor, 1.0),
    ]


def postgres() -> list[Row]:
    from tests.sources.postgres_server import load, server, why_not

    if (reason := why_not()) is not None:
        print(f"Postgres is left out: {reason}")
        return []
    from adbc_driver_postgresql import dbapi

    from tacit.sources.postgres import PostgresTable

    generator = np.random.default_rng(0)
    x = generator.integers(0, 2**32, min(ROWS, 10**7))
    with server() as address:
        load(address, "records", pa.table({"x": x, "y": (x >= 3 * 2**30).astype(np.int64)}))
        source = PostgresTable(address, table="records")
        ledger = Ledger.memory()

        def grouped() -> object:
            with dbapi.connect(address) as connection, connection.cursor() as cursor:
                cursor.execute("SELECT x >> 18 AS c, y, count(*) FROM records GROUP BY 1, 2")
                return cursor.fetch_arrow_table()

        def fresh() -> object:
            """A transaction of its own, so that nothing is known of the table."""
            table = PostgresTable(address, table="records")
            found = learn(_task(), table, ledger=ledger, label="y", column="x")
            table.close()
            return found

        ours = best_of(fresh, times=2)
        stream = best_of(lambda: sum(b.num_rows for b in source.batches(["x", "y"])), times=2)
        fastest = min(stream, best_of(grouped, times=2))
        source.close()
    return [
        Row(
            f"threshold, {len(x):.0e} rows in Postgres",
            "its GROUP BY, or a stream",
            ours,
            fastest,
            1.3,
        )
    ]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        report("Learning from files", files(Path(folder)))
        report("Learning from text", text(Path(folder)))
    report("Learning from Postgres", postgres())


if __name__ == "__main__":
    main()
