"""Learning from files beside what DuckDB and a bare loop need for the same counts."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as csv
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from benchmarks.harness import Row, best_of
from tacit import Accuracy, Ledger, Privacy, Task, learn, sanitize
from tacit.classes import Points, Thresholds
from tacit.core import Source
from tacit.estimators import TreeClassifier
from tacit.sources.opening import read

COLUMNS, CELLS = 10, 64
MOST_MEMORY = 500
_PIECE = 1 << 20


def task() -> Task:
    return Task(Thresholds(bits=32), privacy=Privacy("0.1"), accuracy=Accuracy("0.01", "0.05"))


def piece(generator: np.random.Generator, count: int, *, wide: bool = True) -> pa.Table:
    """A threshold's column, its label and, of a wide table, 64 cells and ten columns of floats."""
    x = generator.integers(0, 2**32, count)
    table = {"x": x, "y": (x >= 3 * 2**30).astype(np.int64)}
    if wide:
        table["k"] = generator.integers(0, CELLS, count)
        table |= {f"c{j}": generator.random(count, dtype=np.float32) for j in range(COLUMNS)}
    return pa.table(table)


def _pieces(rows: int) -> list[int]:
    return [min(_PIECE, rows - start) for start in range(0, rows, _PIECE)]


def write_parquet(path: Path, rows: int) -> None:
    generator = np.random.default_rng(0)
    with pq.ParquetWriter(path, piece(generator, 0).schema) as writer:
        for count in _pieces(rows):
            writer.write_table(piece(generator, count))


def write_csv(path: Path, rows: int) -> None:
    generator = np.random.default_rng(0)
    with csv.CSVWriter(path, piece(generator, 0, wide=False).schema) as writer:
        for count in _pieces(rows):
            writer.write_table(piece(generator, count, wide=False))


def model(depth: int, columns: int) -> TreeClassifier:
    domain = {f"c{j}": (0.0, 1.0) for j in range(columns)}
    return TreeClassifier(domain=domain, epsilon=1, depth=depth, bins=CELLS, ledger=Ledger.memory())


def bare_count(path: Path) -> Callable[[], object]:
    """Arrow's own scan of ten columns and the label into a loop that counts all pairs of cells.

    What a tree of two levels has to know, with nothing checked and nothing else counted.
    """
    from tacit.exact.compiled import compiled

    @compiled(nogil=True)
    def count(cells: np.ndarray, labels: np.ndarray, counts: np.ndarray) -> None:
        columns, rows = cells.shape
        for first in range(0, rows, 4096):
            last = min(rows, first + 4096)
            pair = 0
            for one in range(columns):
                for other in range(one + 1, columns):
                    for row in range(first, last):
                        place = (cells[one, row] * 64 + cells[other, row]) * 2 + labels[row]
                        counts[pair, place] += 1
                    pair += 1

    names = [f"c{j}" for j in range(COLUMNS)]

    def run() -> np.ndarray:
        counts = np.zeros((COLUMNS * (COLUMNS - 1) // 2, 2 * CELLS * CELLS), dtype=np.int64)
        for batch in ds.dataset(path).scanner(columns=[*names, "y"]).to_batches():
            cells = np.stack([(batch.column(name).to_numpy() * CELLS) for name in names])
            count(cells.astype(np.int32), batch.column("y").to_numpy(), counts)
        return counts

    return run


def parquet(folder: Path, rows: int) -> list[Row]:
    import duckdb

    path = folder / "records.parquet"
    write_parquet(path, rows)
    server, ledger = duckdb.connect(), Ledger.memory()

    def grouped(cell: str) -> float:
        query = f"SELECT {cell} AS cell, y, count(*) FROM read_parquet('{path}') GROUP BY ALL"
        return best_of(lambda: server.sql(query).fetchall(), times=2)

    def checked(*columns: str) -> Source:
        source = read(path)
        source.check(columns)
        return source

    def threshold(data: object) -> float:
        return best_of(lambda: learn(task(), data, ledger=ledger, label="y", column="x"), times=3)

    def counted(data: object) -> float:
        asked = {"privacy": Privacy(1), "column": "k", "ledger": ledger}
        return best_of(lambda: sanitize(data, Points(size=CELLS), **asked), times=3)

    def stump(data: object) -> float:
        return best_of(lambda: model(1, 1).fit_file(data, label="y"), times=3)

    names = [f"c{j}" for j in range(COLUMNS)]
    source, tree = checked("y", *names), model(2, COLUMNS)
    grown = best_of(lambda: tree.fit_file(source, label="y"), times=1)
    stream = best_of(lambda: sum(b.num_rows for b in source.batches([*names, "y"])), times=1)
    top, few, kinds = grouped("x >> 16"), grouped(f"floor(c0 * {CELLS})"), grouped("k")
    by_top, by_cell = "GROUP BY x >> 16, y", "GROUP BY of the same cells"
    before = "the same, file checked before"
    return [
        Row("only decoding x and y, Arrow", by_top, best_of(_decoded(path, ["x", "y"])), top),
        Row(f"threshold, {rows:.0e} rows of Parquet", by_top, threshold(path), top, 0.5),
        Row(before, by_top, threshold(checked("x", "y")), top, 0.5),
        Row("only decoding c0 and y, Arrow", by_cell, best_of(_decoded(path, ["c0", "y"])), few),
        Row(f"stump on one column of {CELLS} cells", by_cell, stump(path), few, 1.3),
        Row(before, by_cell, stump(checked("c0", "y")), few, 1.3),
        Row(f"histogram of {CELLS} cells", by_cell, counted(path), kinds, 1.3),
        Row(before, by_cell, counted(checked("k")), kinds, 1.3),
        Row("tree of depth 2, ten columns, checked before", "bare count of all pairs",
            grown, best_of(bare_count(path), times=1), 1.2),
        Row("the same", "reading the columns", grown, stream),
    ]  # fmt: skip


def _decoded(path: Path, names: list[str]) -> Callable[[], object]:
    """Arrow's own reading of some columns on all cores: what no count of a file can go below."""

    def run() -> int:
        scanner = ds.dataset(path).scanner(columns=names)
        return sum(batch.num_rows for batch in scanner.to_batches())

    return run


def text(folder: Path, rows: int) -> list[Row]:
    """A text file beside DuckDB's GROUP BY of the same file."""
    import duckdb

    path = folder / "records.csv"
    write_csv(path, rows)
    server, ledger = duckdb.connect(), Ledger.memory()
    grouped = f"SELECT x >> 16 AS cell, y, count(*) FROM read_csv('{path}') GROUP BY ALL"
    floor = best_of(lambda: server.sql(grouped).fetchall(), times=2)
    whole = best_of(lambda: learn(task(), path, ledger=ledger, label="y", column="x"), times=2)
    source = read(path)
    source.check(["x", "y"])
    known = best_of(lambda: learn(task(), source, ledger=ledger, label="y", column="x"), times=2)
    return [
        Row(f"threshold, {rows:.0e} rows of CSV", "GROUP BY x >> 16, y", whole, floor, 1.0),
        Row("the same, file checked before", "GROUP BY x >> 16, y", known, floor, 1.0),
    ]


_ALONE = """
import re, sys
from pathlib import Path
from benchmarks.engine_files import COLUMNS, model, task
from tacit import Ledger, learn
if sys.argv[2] == "threshold":
    learn(task(), sys.argv[1], ledger=Ledger.memory(), label="y", column="x")
else:
    model(2, COLUMNS).fit_file(sys.argv[1], label="y")
print(int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) // 1024)
"""


def memory(folder: Path, rows: int) -> None:
    """Print the peak memory of whole runs, each in a process of its own, at two lengths."""
    print(f"\n{'peak memory of a process, MB':<40} {rows // 10:>9.0e} {rows:>9.0e}   wanted")
    short, long = folder / "short.parquet", folder / "records.parquet"
    write_parquet(short, rows // 10)
    for kind in ("threshold", "tree of depth 2"):
        words = [sys.executable, "-c", _ALONE]
        peaks = [
            int(subprocess.run([*words, path, kind], check=True, capture_output=True).stdout)
            for path in (short, long)
        ]
        said = "ok" if peaks[1] <= MOST_MEMORY else "MISSED"
        flat = f"below {MOST_MEMORY}: {said}; grew by {peaks[1] - peaks[0]} MB"
        print(f"{kind + ', Parquet':<40} {peaks[0]:>9} {peaks[1]:>9}   {flat}")
