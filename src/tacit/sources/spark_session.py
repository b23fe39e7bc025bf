"""A Spark session, its logs, the Python of its workers, and the version of Tacit that they have."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from typing import TYPE_CHECKING
from weakref import WeakSet

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import SparkSession

PYTHON = "PYSPARK_PYTHON"
"""The variable that names the Python of the workers, for this machine and for a cluster."""
_LOGS = ("SQLQueryContextLogger", "DataFrameQueryContextLogger")
"""Where PySpark writes what a query failed at, before anyone can catch it."""
_SAME = WeakSet["SparkSession"]()
"""Sessions whose workers were found to have this version."""


def started(builder: SparkSession.Builder) -> SparkSession:
    """Open a session of these settings; the workers of one that starts here run this Python.

    Spark takes the first ``python3`` of the search path, which has no Tacit where Tacit is run
    from an environment that was not activated. A session that was open already stays as it is,
    and so do workers on other machines, where the Python of this one need not exist.

    A session that starts here logs nothing: Spark logs why a task failed, and quotes values.
    """
    from pyspark.sql import SparkSession
    from pyspark.sql.utils import is_remote

    ours = SparkSession.getActiveSession() is None
    session = builder.getOrCreate()
    if ours and not is_remote():
        context = session.sparkContext
        context.setLogLevel("OFF")
        if context.master.startswith("local") and not os.environ.get(PYTHON):
            context.pythonExec = sys.executable
    return session


@contextmanager
def unlogged() -> Iterator[None]:
    """Keep PySpark from logging in this process why a query failed: its words quote values."""
    from pyspark.logger import PySparkLogger

    logs = [PySparkLogger.getLogger(name) for name in _LOGS]

    def nothing(record: logging.LogRecord) -> bool:  # noqa: ARG001 - whatever it is
        return False

    for log in logs:
        log.addFilter(nothing)
    try:
        yield
    finally:
        for log in logs:
            log.removeFilter(nothing)


def same_version(session: SparkSession) -> bool:
    """Whether workers have this version of Tacit; asked once in a session.

    What workers run is settled when a session starts. One that has another version all the same
    refuses to count (``check_version``).
    """
    if session in _SAME:
        return True
    try:
        found = session.range(1).mapInArrow(_version, "version string").collect()
    except Exception:  # noqa: BLE001 - Spark's messages hold paths and plans
        return False
    if {row["version"] for row in found} == {version("tacit")}:
        _SAME.add(session)
    return session in _SAME


def check_version(ours: str) -> None:
    """In a worker: fail where this is another version, whose counters may mean something else."""
    if version("tacit") != ours:
        raise RuntimeError("another version of tacit")


def _version(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """In a worker: its version of Tacit."""
    import pyarrow as pa

    import tacit.tallies.kernels  # what counting will need

    assert tacit.tallies.kernels
    for _ in batches:
        pass
    yield pa.RecordBatch.from_arrays([pa.array([version("tacit")])], names=["version"])
