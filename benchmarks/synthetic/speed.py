"""Counting all pairs of columns of a Parquet file, beside the bare scan and a bare count.

``python -m benchmarks.synthetic.speed [ROWS]`` prints seconds, ratios of one run and
the memory.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from itertools import combinations
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import tacit
from tacit import Ledger, Privacy
from tacit.domains import Schema
from tacit.queries import Marginals
from tacit.sources.samples import as_unlabelled
from tacit.tallies.kernels import count_parts
from tacit.tallies.parts import PartCounts, warm

COLUMNS, CELLS = 12, 16


def write(path: Path, rows: int) -> None:
    """Twelve columns of numbers between 0 and 100, in row groups of a million."""
    draw = np.random.default_rng(0)
    writer = None
    for first in range(0, rows, 1 << 20):
        size = min(1 << 20, rows - first)
        table = pa.table({f"x{c}": draw.random(size) * 100 for c in range(COLUMNS)})
        writer = writer or pq.ParquetWriter(path, table.schema)
        writer.write_table(table)
    assert writer is not None
    writer.close()


def bare(path: Path) -> float:
    """Read batches, place by multiplication, count all pairs: nothing of ours but the loop."""
    pairs = list(combinations(range(COLUMNS), 2))
    columns = np.array(pairs)
    strides = np.array([[CELLS, 1]] * len(pairs))
    starts = np.arange(len(pairs)) * CELLS * CELLS
    counts = np.zeros(len(pairs) * CELLS * CELLS, dtype=np.int64)
    begun = time.perf_counter()
    for batch in pq.ParquetFile(path).iter_batches(batch_size=1 << 17):
        cells = np.stack([(column.to_numpy() * 0.16).astype(np.int32) for column in batch.columns])
        count_parts(cells, columns, strides, starts, counts)
    return time.perf_counter() - begun


def main(rows: int = 10**7) -> None:
    """One run of each, in this order."""
    schema = Schema.of({f"x{c}": (0, 100) for c in range(COLUMNS)}, bins=CELLS)
    queries = Marginals(schema, ways=2)
    warm()
    schema.coerce(np.zeros((1 << 17, COLUMNS)))  # compiled before the clock starts
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.parquet"
        write(path, rows)
        plain = bare(path)
        begun = time.perf_counter()
        as_unlabelled(path, domain=schema).fold(PartCounts(schema, queries.parts))  # type: ignore[union-attr]
        ours = time.perf_counter() - begun
        begun = time.perf_counter()
        tacit.sanitize(path, queries, privacy=Privacy(1, "1e-6"), ledger=Ledger.memory(1, "1e-6"))
        whole = time.perf_counter() - begun
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{rows} rows: bare count {plain:.1f} s, ours {ours:.1f} s ({ours / plain:.2f}x), whole "
        f"release {whole:.1f} s ({whole / plain:.2f}x), peak memory {memory:.0f} MB"
    )


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
