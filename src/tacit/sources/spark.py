"""A table that Spark reads: every partition is counted where it is, and only counts travel.

Our kernels run inside ``mapInArrow``. An action returns one result a partition, whichever
attempt of it succeeded, so a retried or speculative partition is counted once.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from importlib.metadata import version
from typing import TYPE_CHECKING, TypeVar

from tacit.core import BadInput, SourceChanged
from tacit.core.source import Batch
from tacit.core.tally import Tally
from tacit.sources.files import Distributed

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

S = TypeVar("S")
_RESULT = "rows bigint, counter binary"


class SparkTable(Distributed):
    """The records of a Spark frame, which must give the same records each time it is read."""

    def __init__(self, frame: DataFrame, *, name: str = "the Spark table") -> None:
        self._frame, self._name = frame, name
        names = frame.columns
        if not names or len(set(names)) != len(names):
            raise BadInput(f"{name}: the columns must have names, each a different one")

    @property
    def name(self) -> str:
        """What messages call the table."""
        return self._name

    @cached_property
    def types(self) -> Mapping[str, pa.DataType]:
        """The columns and their Arrow types."""
        from pyspark.sql.pandas.types import to_arrow_type

        return {field.name: to_arrow_type(field.dataType) for field in self._frame.schema.fields}

    def check(self, columns: Sequence[str]) -> None:  # noqa: ARG002 - others look at them
        """Refuse workers that cannot run this version of Tacit; no record is looked at."""
        probe = self._frame.sparkSession.range(1).mapInArrow(_version, _RESULT)
        try:
            found = pickle.loads(probe.collect()[0]["counter"])  # noqa: S301 - our own worker
        except Exception:  # noqa: BLE001 - Spark's messages hold paths and plans
            found = None
        if found != version("tacit"):
            raise BadInput(
                f"{self.name}: the Spark workers cannot import tacit {version('tacit')}; "
                "install the same version for their Python"
            )

    @cached_property
    def _count(self) -> int:
        return int(self._frame.count())

    def count(self) -> int:
        """How many records there are."""
        return self._count

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """These columns of all partitions, brought here; for what cannot be counted there."""
        try:
            yield from self._selected(columns).toArrow().to_batches()
        except Exception:  # noqa: BLE001 - Spark's messages quote values
            raise self._lost() from None

    def fold(self, columns: Sequence[str], read: Callable[[Batch], Batch], tally: Tally[S]) -> S:
        """The counter of all records; Spark's own words are never repeated."""

        def count(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            import pyarrow as pa

            counter, rows = tally.zero(), 0
            for batch in batches:
                counter = tally.add(counter, read(batch))
                rows += batch.num_rows
            yield pa.RecordBatch.from_arrays(
                [pa.array([rows]), pa.array([pickle.dumps(counter)], pa.binary())],
                names=["rows", "counter"],
            )

        total, rows = tally.zero(), 0
        try:
            for part in self._selected(columns).mapInArrow(count, _RESULT).toLocalIterator():
                total = tally.merge(total, pickle.loads(part["counter"]))  # noqa: S301 - our own
                rows += part["rows"]
        except Exception:  # noqa: BLE001 - Spark's messages quote values
            raise self._lost() from None
        if rows != self._count:
            raise SourceChanged(f"{self.name} changed while it was read; run it again")
        return total

    def _selected(self, columns: Sequence[str]) -> DataFrame:
        return self._frame.select(*(f"`{name.replace('`', '``')}`" for name in columns))

    def _lost(self) -> SourceChanged:
        return SourceChanged(f"{self.name}: Spark failed while it was read; run it again")


def _version(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """What version of Tacit a worker has."""
    import pyarrow as pa

    import tacit.tallies.kernels  # what counting will need

    assert tacit.tallies.kernels
    for _ in batches:
        pass
    counter = pa.array([pickle.dumps(version("tacit"))], pa.binary())
    yield pa.RecordBatch.from_arrays([pa.array([1]), counter], names=["rows", "counter"])
