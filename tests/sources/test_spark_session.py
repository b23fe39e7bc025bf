"""Spark on this machine runs the Python that runs Tacit, also where nothing was activated."""

import os
import shutil
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

pytest.importorskip("pyspark", reason="Spark is not installed (pip install 'tacit[spark]')")

from pyspark.sql import SparkSession

from tacit.sources.spark_session import started

HERE = pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs Java 17")


class _Session:
    """What a builder gives, as far as it is asked."""

    def __init__(self, master):
        self.sparkContext = self
        self.master, self.pythonExec, self.level = master, "python3", None

    def setLogLevel(self, level):
        self.level = level

    def getOrCreate(self):
        return self


@pytest.mark.parametrize(
    ("master", "told", "open_", "remote", "wanted"),
    [
        ("local[*]", None, None, False, sys.executable),
        ("local[2,4]", "", None, False, sys.executable),
        ("local[*]", "/opt/python", None, False, "python3"),
        ("local[*]", None, object(), False, "python3"),
        ("local[*]", None, None, True, "python3"),
        ("spark://host:7077", None, None, False, "python3"),
        ("yarn", None, None, False, "python3"),
    ],
)
def test_only_workers_of_this_machine_that_nobody_chose_run_this_python(
    master, told, open_, remote, wanted, monkeypatch
):
    monkeypatch.delenv("PYSPARK_PYTHON", raising=False)
    if told is not None:
        monkeypatch.setenv("PYSPARK_PYTHON", told)
    monkeypatch.setattr(SparkSession, "getActiveSession", lambda: open_)
    monkeypatch.setattr("pyspark.sql.utils.is_remote", lambda: remote)
    found = started(_Session(master))
    assert found.pythonExec == wanted
    assert found.level == (None if open_ or remote else "OFF")  # who opened one decides


def _learn(folder, **variables):
    """Learn from a Parquet file by Spark, where ``python3`` begins no worker."""
    other = folder / "bin" / "python3"
    other.parent.mkdir(exist_ok=True)
    other.write_text(
        f'#!/bin/sh\ncase "$*" in *pyspark.daemon*) exit 1;; esac\nexec {sys.executable} "$@"\n'
    )
    other.chmod(0o755)
    x = np.random.default_rng(1).integers(0, 1 << 10, 3000)
    pq.write_table(pa.table({"x": x, "label": (x >= 600).astype(np.int64)}), folder / "p.parquet")
    kept = {name: value for name, value in os.environ.items() if name != "PYSPARK_PYTHON"}
    path = f"{other.parent}{os.pathsep}{kept['PATH']}"
    words = [
        sys.executable, "-m", "tacit", "learn", str(folder / "p.parquet"), "--engine", "spark",
        "--class", "thresholds", "--bits", "10", "--label", "label", "--column", "x",
        "--epsilon", "2", "--no-ledger", "-o", str(folder / "rule.json"),
    ]  # fmt: skip
    environment = kept | {"PATH": path, "SPARK_LOCAL_IP": "127.0.0.1"} | variables
    return subprocess.run(
        words, env=environment, capture_output=True, text=True, check=False, timeout=300
    )


@HERE
def test_an_environment_that_is_not_activated_learns_by_spark(tmp_path):
    run = _learn(tmp_path)
    assert run.returncode == 0, run.stderr[-2000:]
    assert (tmp_path / "rule.json").exists()


@HERE
def test_a_python_without_tacit_is_refused_by_the_name_of_its_variable(tmp_path):
    run = _learn(tmp_path, PYSPARK_PYTHON=str(tmp_path / "bin" / "python3"))
    assert run.returncode == 2
    assert "PYSPARK_PYTHON" in run.stderr
    assert not (tmp_path / "rule.json").exists()


_FAILS = """
from pyspark.sql import SparkSession
from tacit.core import SourceChanged
from tacit.sources.spark import SparkTable
from tacit.sources.spark_session import started

session = started(SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false"))
rows = session.createDataFrame([("secret4711",)], "words string")
for frame in (rows.selectExpr("cast(words as int) as x"), rows.select(rows.words.cast("int"))):
    try:
        list(SparkTable(frame).batches(frame.columns))
    except SourceChanged as lost:
        print(lost)
session.stop()
"""


@HERE
def test_no_log_repeats_what_spark_failed_at(tmp_path):
    environment = os.environ | {"SPARK_LOCAL_IP": "127.0.0.1"}
    run = subprocess.run(
        [sys.executable, "-c", _FAILS], env=environment, cwd=tmp_path, capture_output=True,
        text=True, check=False, timeout=300,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr[-2000:]
    assert run.stdout.count("Spark failed while it was read") == 2
    assert "4711" not in run.stdout + run.stderr
