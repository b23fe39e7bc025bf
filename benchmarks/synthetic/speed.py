"""A synthetic table of a Parquet file of twelve columns, beside a bare count of all pairs of them.

``python -m benchmarks.synthetic.speed [ROWS] [independent|dependent] [TURNS]`` prints seconds and
ratios to the bare count, all of one run: our count, the whole release in memory (count, fit, rows
and certificate), writing its rows to Parquet, packing them for the release file, and the most
memory that was held until then. The bare count runs twice after that, since it holds more than
ours. Each ratio twice: by the clock, and by processor time, which others on the machine change
less. With ``TURNS`` bare counts and releases follow each other so many times more, and medians are
printed: a single bare count may take twice as long as the next one.
"""

from __future__ import annotations

import multiprocessing
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

import tacit
from tacit import Ledger, Privacy
from tacit.core.tally import Streamed
from tacit.domains import Schema
from tacit.queries import Marginals
from tacit.sources.samples import as_unlabelled
from tacit.tallies.kernels import count_parts
from tacit.tallies.parts import PartCounts

COLUMNS, CELLS = 12, 16


def write(path: Path, rows: int, *, dependent: bool) -> None:
    """Twelve columns of numbers between 0 and 100, in row groups of a million.

    Where they depend on each other each is a mean of a random number and of the two before it.
    """
    draw = np.random.default_rng(0)
    writer = None
    for first in range(0, rows, 1 << 20):
        size = min(1 << 20, rows - first)
        columns = [draw.random(size) * 100 for _ in range(COLUMNS)]
        for c in range(2, COLUMNS if dependent else 0):
            columns[c] = 0.4 * columns[c] + 0.3 * columns[c - 1] + 0.3 * columns[c - 2]
        table = pa.table({f"x{c}": column for c, column in enumerate(columns)})
        writer = writer or pq.ParquetWriter(path, table.schema)
        writer.write_table(table)
    assert writer is not None
    writer.close()


def bare(path: Path) -> None:
    """Read batches, place by multiplication, count all pairs: nothing of ours but the loop."""
    pairs = list(combinations(range(COLUMNS), 2))
    columns = np.array(pairs)
    strides = np.array([[CELLS, 1]] * len(pairs))
    starts = np.arange(len(pairs)) * CELLS * CELLS
    counts = np.zeros(len(pairs) * CELLS * CELLS, dtype=np.int64)
    for batch in pq.ParquetFile(path).iter_batches(batch_size=1 << 17):
        cells = np.stack([(column.to_numpy() * 0.16).astype(np.int32) for column in batch.columns])
        count_parts(cells, columns, strides, starts, counts)


Spent = npt.NDArray[np.float64]


def timed(made: Callable[[], object]) -> tuple[Spent, object]:
    """Seconds by the clock and of processors that something takes, and what it makes."""
    begun = np.array([time.perf_counter(), time.process_time()])
    found = made()
    return np.array([time.perf_counter(), time.process_time()]) - begun, found


def in_turn(plain: Callable[[], object], release: Callable[[], object], turns: int) -> None:
    """Medians of releases, with a bare count before and after each of them."""
    bare_ones, ours = [], []
    for _ in range(turns):
        bare_ones.append(timed(plain)[0])
        ours.append(timed(release)[0])
        bare_ones.append(timed(plain)[0])
    usual, took = np.median(bare_ones, axis=0), np.median(ours, axis=0)
    ratio = took / usual
    print(f"medians of {turns} turns: bare count {usual[0]:.1f} s, {usual[1]:.1f} s;")
    print(f"release {took[0]:.1f} s {ratio[0]:.2f}x, {took[1]:.1f} s {ratio[1]:.2f}x")


def main(rows: int = 10**7, kind: str = "dependent", turns: int = 0) -> None:
    """One run of each, in this order; the bare count last, and twice."""
    schema = Schema.of({f"x{c}": (0, 100) for c in range(COLUMNS)}, bins=CELLS)
    queries = Marginals(schema, ways=2)
    privacy = Privacy(1, "1e-6")
    with tempfile.TemporaryDirectory() as folder:
        path, small, out = (Path(folder) / name for name in ("t.parquet", "s.parquet", "o.parquet"))
        for target, many, what in ((path, rows, kind), (small, 1000, "independent")):
            made_by = multiprocessing.get_context("spawn").Process(
                target=write, args=(target, many), kwargs={"dependent": what == "dependent"}
            )
            made_by.start()
            made_by.join()

        def release(of: Path) -> tacit.Release:  # type: ignore[type-arg]
            return tacit.sanitize(of, queries, privacy=privacy, ledger=Ledger.memory(1, "1e-6"))

        def count() -> object:
            data = as_unlabelled(path, domain=schema)
            assert isinstance(data, Streamed)
            return data.fold(PartCounts(schema, queries.parts))

        release(small).value.write(out)  # compiled before the clock starts
        bare(small)
        before = _memory()
        ours, _ = timed(count)
        whole, made = timed(lambda: release(path))
        written, _ = timed(lambda: made.value.write(out))  # type: ignore[attr-defined]
        packed, _ = timed(lambda: made.value.to_dict())  # type: ignore[attr-defined]
        peak = _memory()
        first, _ = timed(lambda: bare(path))
        again, _ = timed(lambda: bare(path))
        if turns:
            in_turn(lambda: bare(path), lambda: release(path), turns)
    plain = (first + again) / 2
    print(f"{rows} rows, {kind}; seconds and ratios by the clock, then of processors")
    lines = {
        "bare count, first": first,
        "bare count, last": again,
        "our count": ours,
        "release in memory": whole,
        "writing Parquet": written,
        "packing the release": packed,
        "release and Parquet": whole + written,
        "all of it": whole + written + packed,
    }
    for what, took in lines.items():
        ratio = took / plain
        print(f"{what}: {took[0]:.1f} s {ratio[0]:.2f}x, {took[1]:.1f} s {ratio[1]:.2f}x")
    print(f"memory {before:.0f} MB before, {peak:.0f} MB at most")


def _memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main(*(int(word) if word.isdigit() else word for word in sys.argv[1:]))  # type: ignore[arg-type]
