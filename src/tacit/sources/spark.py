"""A table that Spark reads: every partition is counted where it is, and only counts travel.

Our kernels run inside ``mapInArrow``. An action returns one result a partition, whichever
attempt of it succeeded, so a retried or speculative partition is counted once; each result
carries the number of its partition, and one that came twice is refused. Leading bits of whole
numbers and kinds of records of few public cells Spark counts itself, and it leaves out records of
blocks that are not looked into.
"""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import unquote, urlsplit

from tacit.core import BadInput, SourceChanged
from tacit.core.addresses import shown
from tacit.core.source import Batch
from tacit.core.tally import Tally
from tacit.sources.beginning import ReadsSome
from tacit.sources.files import Distributed
from tacit.sources.kinds import counted_kinds, kind_sql
from tacit.sources.pushed import counted, first, inside, placing
from tacit.sources.shares import side_by_side
from tacit.sources.spark_files import parquet_files, rows_of, some_of
from tacit.sources.spark_groups import grouped
from tacit.sources.spark_session import PYTHON, same_version, started, unlogged
from tacit.sources.spark_types import arrow_type, is_plain
from tacit.sources.spark_workers import (
    RESULT,
    count_partition,
    keep_persons,
    merge_counters,
    under_names,
)
from tacit.tallies.digits import LeadingCounts, TakeKeys
from tacit.tallies.few_cells import KindCounts
from tacit.tallies.first import FirstPass

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

S = TypeVar("S")
T = TypeVar("T")
_LOOK = 1 << 13
"""Rows that are looked at first, which come one by one: fewer than of other sources."""


class SparkTable(Distributed, ReadsSome):
    """The records of a Spark frame, which must give the same records each time it is read."""

    def __init__(self, frame: DataFrame, *, name: str = "the Spark table") -> None:
        self._frame, self._name = frame, name
        names = frame.columns
        if not names or len(set(names)) != len(names):
            raise BadInput(f"{name}: the columns must have names, each a different one")

    @property
    def kept_in(self) -> tuple[object, ...]:
        """The files that Spark reads, and what it computes from them."""
        try:
            files, meaning = self._frame.inputFiles(), self._frame.semanticHash()
        except Exception:  # noqa: BLE001 - Spark's messages hold paths and plans
            raise BadInput(f"{self.name}: Spark does not say where it is kept") from None
        return (f"spark {meaning}", *_local(files), *(one for one in files if "://" in one))

    @cached_property
    def _files(self) -> list[Path]:
        """The files that it reads and that are on this machine."""
        try:
            return [path for path in _local(self._frame.inputFiles()) if path.is_file()]
        except Exception:  # noqa: BLE001 - Spark's messages hold paths and plans
            return []

    @cached_property
    def _state(self) -> list[tuple[int, int]]:
        return _states(self._files)

    def _same(self) -> None:
        """End the run if a file is another one than before the charge."""
        if _states(self._files) != self._state:
            raise self._changed()

    @property
    def name(self) -> str:
        """What messages call the table."""
        return self._name

    @cached_property
    def types(self) -> Mapping[str, pa.DataType]:
        """The columns and their Arrow types."""
        return {field.name: arrow_type(field.dataType) for field in self._frame.schema.fields}

    def check(self, columns: Sequence[str]) -> None:  # noqa: ARG002 - others look at them
        """Refuse workers that cannot run this version of Tacit; no record is looked at.

        The records are counted meanwhile, which is asked next: a small job waits more than works.
        """
        self._same()  # from now on
        able, _ = side_by_side(lambda ask: ask(), (self._able, self._counted))
        if not able:
            raise BadInput(
                f"{self.name}: the Spark workers cannot import tacit {version('tacit')}; "
                f"install the same version for their Python, which {PYTHON} names"
            )

    def _able(self) -> bool:
        """Whether the workers have this version of Tacit."""
        return same_version(self._frame.sparkSession)

    def _counted(self) -> bool:
        """Count the records, if that can be done; whoever asks next is told why not."""
        try:
            return self._count >= 0
        except SourceChanged:
            return False

    @cached_property
    def _parquet(self) -> tuple[Path, ...]:
        """The Parquet files on this machine that the frame consists of; none where it is another
        one, or Spark does not say.
        """
        try:
            files = self._frame.inputFiles()
            local = len(files) == len(self._files)
            return parquet_files(self._frame, self._files) if local and files else ()
        except Exception:  # noqa: BLE001 - Spark's messages hold paths and plans
            return ()

    @cached_property
    def _count(self) -> int:
        try:
            if self._parquet:
                return rows_of(self._parquet)
        except Exception:  # noqa: BLE001, S110 - Arrow may refuse what Spark reads
            pass
        return int(self._tried(self._frame.count))

    def count(self) -> int:
        """How many records there are."""
        return self._count

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """These columns of all partitions, brought here; for what cannot be counted there."""
        found = self._tried(lambda: self._selected(self._frame, columns).toArrow())
        self._same()
        if found.num_rows != self._count:
            raise self._changed()
        yield from found.rename_columns(list(columns)).to_batches()

    def kept_of_persons(
        self, columns: Sequence[str], keep: Callable[[pa.Table], pa.Table]
    ) -> Iterator[pa.RecordBatch]:
        """What is kept of each person, chosen by the worker that has all rows of this person."""

        def kept() -> pa.Table:
            plain = self._selected(self._frame, columns)
            work = partial(keep_persons, version("tacit"), list(columns), keep)
            return plain.repartition("c0").mapInArrow(work, plain.schema).toArrow()

        found = self._tried(kept)
        self._same()
        yield from found.rename_columns(list(columns)).to_batches()

    def fold(self, columns: Sequence[str], read: Callable[[Batch], Batch], tally: Tally[S]) -> S:
        """The counter of all records; Spark's own words are never repeated.

        All partitions are counted at once, wherever Spark has room, and their counters are added
        up by workers too: what comes here does not grow with the number of partitions.
        """
        frame, every = self._frame, True
        if isinstance(tally, LeadingCounts | FirstPass | TakeKeys):
            placed = placing(self.types, read, tally, _quoted)
            if placed is not None and isinstance(tally, LeadingCounts):
                return counted(self, placed, tally)
            if placed is not None and isinstance(tally, FirstPass):
                return first(self, placed, tally)
            if placed is not None and isinstance(tally, TakeKeys):
                where = inside(tally.spans, placed)
                frame, every = (frame, True) if where is None else (frame.where(where), False)
        if isinstance(tally, KindCounts):
            kind = kind_sql(self.types, read, tally, _quoted)
            if kind is not None:  # writing a column for the workers costs more than grouping by it
                return counted_kinds(self, kind, tally)
        total, rows = self._folded(frame, columns, read, tally)
        self._same()
        if every and rows != self._count:
            raise self._changed()
        return total

    def shifted(self, number: str, bits: int) -> str:
        """The SQL of a number without its last bits."""
        return f"shiftright({number}, {bits})"

    def groups(self, key: str, *, most: int | None) -> pa.Table | None:
        """Rows ``key, n`` of all records; ``None`` if they are more than ``most``."""
        found = self._tried(lambda: grouped(self._frame, key, most=most))
        self._same()
        if found is not None and int(found.column("n").to_numpy().sum()) != self._count:
            raise self._changed()
        return found

    def some(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """These columns of some records of files on this machine, or of those that Spark comes upon
        first; none where Python would hold other values than Arrow.
        """
        kinds = [self.types[name] for name in columns]
        if not all(map(is_plain, kinds)):
            return
        try:
            here = list(some_of(self._parquet, columns, kinds))
        except Exception:  # noqa: BLE001 - Arrow may refuse what Spark reads, and quotes it
            here = []
        yield from here or self._first(columns, kinds)

    def _first(
        self, columns: Sequence[str], kinds: Sequence[pa.DataType]
    ) -> Iterator[pa.RecordBatch]:
        """The records that Spark comes upon first.

        It collects a few rows from one partition, and from more only if it has too few. As a
        stream of Arrow they would be as many from every partition, all sent to one worker.
        """
        import pyarrow as pa

        few = self._selected(self._frame, columns).limit(_LOOK)
        rows = zip(*self._tried(few.collect), strict=True)
        cells = [pa.array(cells, kind) for cells, kind in zip(rows, kinds, strict=False)]
        if cells:
            yield pa.RecordBatch.from_arrays(cells, names=list(columns))

    def _folded(
        self,
        frame: DataFrame,
        columns: Sequence[str],
        read: Callable[[Batch], Batch],
        tally: Tally[S],
    ) -> tuple[S, int]:
        """The counter of the records of a frame, and how many these are."""
        ours = version("tacit")
        count = partial(count_partition, ours, partial(under_names, list(columns), read), tally)

        def work() -> tuple[S, int]:
            total, rows, seen = tally.zero(), 0, set[int]()
            counted = self._selected(frame, columns).mapInArrow(count, RESULT)
            # By a partition's number, so that a retried stage sends the same to the same place.
            merged = counted.repartition("parts").mapInArrow(
                partial(merge_counters, ours, tally), RESULT
            )
            for part in merged.collect():
                parts = set(pickle.loads(part["parts"]))  # noqa: S301 - our own worker's
                if parts & seen:
                    raise self._lost()
                seen |= parts
                total = tally.merge(total, pickle.loads(part["counter"]))  # noqa: S301
                rows += part["rows"]
            return total, rows

        return self._tried(work)

    def _tried(self, work: Callable[[], T]) -> T:
        """One pass; if Spark fails, once more from the start over the same files.

        A pass draws nothing and what it counted is thrown away whole, so a release is the same
        whichever of the two succeeded: also after an earlier draw, no draw is repeated.
        """
        for _ in range(2):
            try:
                with unlogged():
                    return work()
            except Exception:  # noqa: BLE001 - Spark's messages quote values
                self._same()
        raise self._lost()

    def _selected(self, frame: DataFrame, columns: Sequence[str]) -> DataFrame:
        """These columns, under plain names: Spark takes dots and quotes in a name for a path."""
        plain = (f"c{place}" for place in range(len(columns)))
        return frame.select(*map(_quoted, columns)).toDF(*plain)

    def _changed(self) -> SourceChanged:
        return SourceChanged(f"{self.name} changed while it was read; run it again")

    def _lost(self) -> SourceChanged:
        return SourceChanged(f"{self.name}: Spark failed while it was read; run it again")


def _local(files: Sequence[str]) -> list[Path]:
    """The paths among addresses of files."""
    parts = [urlsplit(one) for one in files]
    return [Path(unquote(one.path)) for one in parts if one.scheme in ("", "file")]


def _states(files: Sequence[Path]) -> list[tuple[int, int]]:
    """What tells a file that was written again, or is gone."""
    found = [path.stat() if path.exists() else None for path in files]
    return [(-1, -1) if one is None else (one.st_size, one.st_mtime_ns) for one in found]


def _quoted(name: str) -> str:
    """A name as Spark writes it."""
    return f"`{name.replace('`', '``')}`"


def open_spark(
    *, address: str | None = None, table: str | None = None, path: str | None = None
) -> SparkTable:
    """A table that a Spark server knows, or a Parquet path that it can read.

    ``address`` is ``spark://host:port`` or, for Spark Connect, ``sc://host:port``; without one
    Spark runs where its own settings say, by default on this machine.
    """
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise BadInput("Spark is not installed here: pip install 'tacit[spark]'") from None
    if (table is None) == (path is None):
        raise BadInput("say which table Spark reads (--table people), or name a .parquet path")
    builder = SparkSession.builder.appName("tacit")
    if address is not None:
        builder = builder.remote(address) if address.startswith("sc:") else builder.master(address)
    if address is None or not address.startswith("sc:"):
        # Counters pass through files that Spark writes: a server's own settings decide there.
        builder = builder.config("spark.io.encryption.enabled", "true")
        builder = builder.config("spark.ui.showConsoleProgress", "false")  # ours says enough
    try:
        session = started(builder)
        frame = session.table(table) if table is not None else _at(session, str(path))
    except Exception:  # noqa: BLE001 - Spark's messages hold plans and paths
        asked = f"table {table!r}" if table is not None else f"path {shown(str(path))!r}"
        raise BadInput(f"Spark cannot be reached, or does not know the {asked}") from None
    return SparkTable(frame, name=shown(str(table or path)).rsplit("/", maxsplit=1)[-1])


def _at(session: SparkSession, path: str) -> DataFrame:
    """The Parquet file or folder of this name: no pattern, and no column from a folder's name."""
    plain = re.sub(r"([\\*?\[\]{}])", r"\\\1", path)
    return session.read.option("recursiveFileLookup", "true").parquet(plain)
