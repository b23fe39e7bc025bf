"""What Spark's workers run: one partition is counted, its persons kept, or counters are merged."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeVar

from tacit.core.source import Batch
from tacit.core.tally import Settles, Tally
from tacit.sources.spark_session import check_version

if TYPE_CHECKING:
    import pyarrow as pa

S = TypeVar("S")
_AT_ONCE = 1 << 16
RESULT = "parts binary, rows bigint, counter binary"
"""What a worker gives: partitions by number, how many records they have, and their counter."""


def result_row(parts: list[int], rows: int, counter: object) -> pa.RecordBatch:
    """One counter as a table of one row."""
    import pyarrow as pa

    binary = [pa.array([pickle.dumps(what)], pa.binary()) for what in (parts, counter)]
    return pa.RecordBatch.from_arrays(
        [binary[0], pa.array([rows]), binary[1]], names=["parts", "rows", "counter"]
    )


def under_names(names: list[str], read: Callable[[Batch], Batch], batch: pa.RecordBatch) -> Batch:
    """In a worker: a batch under the names that its columns have in the table."""
    return read(batch.rename_columns(names))


def count_partition(
    ours: str,
    read: Callable[[Batch], Batch],
    tally: Tally[S],
    batches: Iterator[pa.RecordBatch],
) -> Iterator[pa.RecordBatch]:
    """In a worker of version ``ours``: the counter of one partition, under its number."""
    check_version(ours)
    from pyspark import TaskContext

    here = TaskContext.get()
    counter, rows = tally.zero(), 0
    for batch in _joined(batches):
        counter = tally.add(counter, read(batch))
        rows += batch.num_rows
    if isinstance(tally, Settles):
        counter = tally.finished(counter)
    yield result_row([here.partitionId() if here else 0], rows, counter)


def _joined(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Batches one after the other as fewer, longer ones: Spark's have ten thousand rows."""
    import pyarrow as pa

    held, rows = list[pa.RecordBatch](), 0
    for batch in batches:
        held.append(batch)
        rows += batch.num_rows
        if rows >= _AT_ONCE:
            yield from pa.Table.from_batches(held).combine_chunks().to_batches()
            held, rows = [], 0
    if rows:
        yield from pa.Table.from_batches(held).combine_chunks().to_batches()


def keep_persons(
    ours: str,
    names: list[str],
    keep: Callable[[pa.Table], pa.Table],
    batches: Iterator[pa.RecordBatch],
) -> Iterator[pa.RecordBatch]:
    """In a worker of version ``ours``: what is kept of the persons of one partition."""
    import pyarrow as pa

    check_version(ours)
    held = list(batches)
    if held:
        plain = pa.Table.from_batches(held)
        kept = keep(plain.rename_columns(names))
        yield from kept.rename_columns(plain.column_names).to_batches()


def merge_counters(
    ours: str, tally: Tally[S], batches: Iterator[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """In a worker of version ``ours``: the counter of several partitions, each of them once."""
    check_version(ours)
    counter, rows, parts = tally.zero(), 0, list[int]()
    for batch in batches:
        for part in batch.to_pylist():
            parts += pickle.loads(part["parts"])  # noqa: S301 - our own worker's
            counter = tally.merge(counter, pickle.loads(part["counter"]))  # noqa: S301
            rows += part["rows"]
    if len(set(parts)) != len(parts):
        raise ValueError("a partition came twice")
    yield result_row(
        parts, rows, tally.finished(counter) if isinstance(tally, Settles) else counter
    )
