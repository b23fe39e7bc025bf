"""Spark on this machine, for tests: short-lived, so what it would prepare for a long life is left out."""

import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""Java compiles at once and not well: what runs for seconds never earns back more than that."""
ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def local(master, **settings):
    """A session on two cores, on loopback; its workers are forked with Tacit at hand.

    Every worker that a test kills, or that fails, is followed by one that would import it anew.
    """
    from pyspark.sql import SparkSession

    mine = pytest.MonkeyPatch()
    mine.setenv("PYSPARK_PYTHON", sys.executable)
    mine.setenv("PYTHONPATH", str(ROOT), prepend=":")
    builder = (
        SparkSession.builder.master(master)
        .config("spark.ui.enabled", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.python.daemon.module", "tests.tools.spark_workers")
    )
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    try:
        yield session
    finally:
        session.stop()
        mine.undo()
