"""Parquet files on this machine that a Spark frame consists of: their footers and a few records.

A job of Spark takes about as long for a few records as for a million, so what a file's own footer
says, and a look at some of its records, are read here. What is counted, Spark counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.sources.beginning import SOME_ROWS

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

_SETTINGS = ("spark.sql.files.ignoreCorruptFiles", "spark.sql.files.ignoreMissingFiles")
"""Where one of these is on, Spark may read fewer records than the files have."""
_OPTIONS = frozenset(("path", "paths", "recursivefilelookup"))
_FORMAT = "org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat"
_PLACES, _MOST_FILES = 4, 64
_BUFFER = 1 << 16


def parquet_files(frame: DataFrame, files: Sequence[Path]) -> tuple[Path, ...]:
    """Those files, if the frame is nothing but all records of them as Parquet; else none.

    Read from Spark's own plan. Raises whatever Spark raises; a session of Spark Connect, which
    shows no plan, always does.
    """
    from pyspark import StorageLevel

    plan = frame._jdf.queryExecution().analyzed()
    while plan.getClass().getSimpleName() == "SubqueryAlias":  # only a name
        plan = plan.child()
    if plan.getClass().getSimpleName() != "LogicalRelation":
        return ()
    relation = plan.relation()
    if relation.getClass().getSimpleName() != "HadoopFsRelation":
        return ()
    options = {name.lower() for name in relation.options().keys().mkString("\n").split("\n")}
    settings = frame.sparkSession.conf
    if (
        relation.fileFormat().getClass().getName() != _FORMAT
        or frame.storageLevel != StorageLevel.NONE  # what is kept may be older than the files
        or options - _OPTIONS - {""}
        or any(str(settings.get(name, "false")).lower() != "false" for name in _SETTINGS)
        or any(path.name.startswith("_") for path in files)  # a summary: listed, and never read
        or _listed(relation.location()) != sorted(map(_state, files))
    ):
        return ()
    return tuple(files)


def _listed(location: Any) -> list[tuple[str, int, int]]:
    """The files that Spark will read, with their length and time when it listed them: one that
    was named twice is read twice, and one that was written again is read as far as it was long.
    """
    files = location.allFiles()
    if files.size() > _MOST_FILES:  # each is a question to Spark
        return []
    every = (files.apply(place) for place in range(files.size()))
    return sorted(
        (one.getPath().toUri().getPath(), one.getLen(), one.getModificationTime()) for one in every
    )


def _state(path: Path) -> tuple[str, int, int]:
    found = path.stat()
    return str(path), found.st_size, found.st_mtime_ns // 10**6


def rows_of(files: Sequence[Path]) -> int:
    """How many records the footers of Parquet files announce; raises what Arrow raises.

    As Spark adds them up, row group by row group: a file's own sum may be another one.
    """
    import pyarrow.parquet as pq

    found = map(pq.read_metadata, files)
    return sum(
        one.row_group(group).num_rows for one in found for group in range(one.num_row_groups)
    )


def some_of(
    files: Sequence[Path], columns: Sequence[str], kinds: Sequence[pa.DataType]
) -> Iterator[pa.RecordBatch]:
    """The first records of some row groups of some of the files; raises what Arrow raises.

    Nothing of a file whose columns are of other kinds than these.
    """
    import pyarrow.parquet as pq

    chosen = _spread(len(files))
    for file in chosen:
        with pq.ParquetFile(files[file], pre_buffer=False, buffer_size=_BUFFER) as opened:
            for group in _spread(opened.num_row_groups)[: _PLACES // len(chosen)]:
                rows = SOME_ROWS // _PLACES
                every = opened.iter_batches(rows, row_groups=[group], columns=list(columns))
                for batch in islice(every, 1):
                    cells = batch.select(list(columns))
                    if cells.schema.types == list(kinds):
                        yield cells


def _spread(many: int) -> list[int]:
    """At most so many places among ``many``, from all over."""
    return sorted({many * place // _PLACES for place in range(_PLACES)}) if many else []
