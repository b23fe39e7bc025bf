"""How processor time grows with records, columns, cells, bits and tasks, with fitted exponents.

Processor seconds, not wall time: they add up over threads and hardly mind a busy machine.
``MOST=100000000 python -m benchmarks.cost_grows`` goes to 10^8 records.
"""

from __future__ import annotations

import json
import math
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.harness import RESULTS
from tacit import Accuracy, Ledger, Privacy, Task, learn
from tacit.classes import Points, Thresholds
from tacit.estimators import TreeClassifier

MOST = int(os.environ.get("MOST", 10**7))
Line = tuple[str, str, list[tuple[int, float]]]


def _seconds(work: Callable[[], object]) -> float:
    work()  # compiles and loads
    best = math.inf
    for _ in range(2):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def exponent(points: Sequence[tuple[int, float]]) -> float:
    """The slope between the last half of the points, in logarithms: small sizes are overhead."""
    late = points[len(points) // 2 :] if len(points) > 3 else points[-2:]
    x, y = (np.log([point[i] for point in late]) for i in (0, 1))
    return float(np.polyfit(x, y, 1)[0])


def _sizes(low: int, high: int) -> list[int]:
    return [
        int(10 ** (e / 2))
        for e in range(2 * round(math.log10(low)), 2 * round(math.log10(high)) + 1)
    ]


def _threshold(n: int, bits: int) -> Callable[[], object]:
    rng = np.random.default_rng(n)
    x = rng.integers(0, 2**bits, n, dtype=np.uint64)
    y = (x >= 2 ** (bits - 1)).astype(np.int64)
    task = Task(Thresholds(bits=bits), privacy=Privacy("0.5"), accuracy=Accuracy("0.05", "0.05"))
    return lambda: learn(task, (x, y), ledger=Ledger.memory())


def _tree(n: int, columns: int, cells: int) -> Callable[[], object]:
    rng = np.random.default_rng(n)
    x = rng.random((n, columns))
    y = x[:, 0] > 0.5
    model = TreeClassifier(
        domain={f"c{j}": (0.0, 1.0) for j in range(columns)},
        classes=(False, True),
        bins=cells,
        depth=2,
        epsilon=1,
        ledger=Ledger.memory(),
    )
    import pandas as pd

    frame = pd.DataFrame(x, columns=[f"c{j}" for j in range(columns)])
    return lambda: model.fit(frame, y)


def _points(n: int, k: int) -> Callable[[], object]:
    rng = np.random.default_rng(n)
    x = rng.integers(0, 50, n)
    y = x[:, None] == np.arange(k) % 50
    task = Task(Points(bits=32), privacy=Privacy(1, "1e-6"), accuracy=Accuracy("0.1", "0.1"), k=k)
    return lambda: learn(task, (x, y), ledger=Ledger.memory())


def _file(path: Path, n: int) -> Callable[[], object]:
    rng = np.random.default_rng(n)
    writer = None
    for start in range(0, n, 1 << 20):
        x = rng.integers(0, 2**32, min(1 << 20, n - start))
        piece = pa.table({"x": x, "y": (x >= 2**31).astype(np.int64)})
        writer = writer or pq.ParquetWriter(path, piece.schema)
        writer.write_table(piece)
    assert writer is not None
    writer.close()
    task = Task(Thresholds(bits=32), privacy=Privacy("0.5"), accuracy=Accuracy("0.05", "0.05"))
    return lambda: learn(task, path, label="y", column="x", ledger=Ledger.memory())


def lines() -> Iterator[Line]:
    """What grows, by what, and the measured points."""
    records = _sizes(10**5, MOST)
    yield (
        "threshold, array, 32 bits",
        "records",
        [(n, _seconds(_threshold(n, 32))) for n in records],
    )
    bits = (8, 16, 32, 48, 64)
    yield "threshold, 10^6 records", "bits", [(b, _seconds(_threshold(10**6, b))) for b in bits]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "records.parquet"
        points = [(n, _seconds(_file(path, n))) for n in records]
    yield "threshold, Parquet, 32 bits", "records", points
    few = _sizes(10**4, min(MOST, 10**6))
    points = [(n, _seconds(_tree(n, 10, 16))) for n in few]
    yield "tree of depth 2, 10 columns of 16 cells", "records", points
    points = [(d, _seconds(_tree(10**5, d, 16))) for d in (2, 4, 8, 16, 32)]
    yield "tree of depth 2, 10^5 records, 16 cells", "columns", points
    points = [(c, _seconds(_tree(10**5, 10, c))) for c in (4, 8, 16, 32, 64)]
    yield "tree of depth 2, 10^5 records, 10 columns", "cells", points
    points = [(k, _seconds(_points(10**5, k))) for k in (1, 10, 100, 1000)]
    yield "points, 10^5 records", "tasks", points


def main() -> None:
    record = []
    print(f"\n{'work':<44} {'grows with':<10} {'exponent':>8}   processor seconds")
    for work, by, points in lines():
        shown = "  ".join(f"{size:.0e}: {seconds:.3g}" for size, seconds in points)
        print(f"{work:<44} {by:<10} {exponent(points):8.2f}   {shown}", flush=True)
        record.append({"work": work, "by": by, "exponent": exponent(points), "points": points})
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "cost_grows.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
