"""Kill executors of a small Spark cluster, and let it run slow tasks twice: nothing counts twice.

``python -m tests.fuzz.executors`` starts a cluster of two executors on this machine, each a process
of its own. Spark runs a slow task a second time on another host only, so that the two have two
addresses. Says SKIPPED where Spark or Java is missing, and on systems with one
loopback address; two minutes.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tacit.core import SourceChanged
from tacit.sources.spark import SparkTable

ROWS, PARTS = 20_000, 8
CASES = (
    ("nothing", "right"),
    ("slow once", "right"),
    ("kill once", "right or refused"),
    ("kill always", "refused"),
)
"""What happens besides, and how a pass may end then."""


class Counts:
    """Rows and the sum of a column; one record of one partition does something besides."""

    def __init__(self, folder: Path, besides: str) -> None:
        self.folder, self.besides = folder, besides

    def zero(self) -> list[int]:
        return [0, 0]

    def add(self, counter: list[int], batch: object) -> list[int]:
        values = batch.column(0).to_numpy()  # type: ignore[attr-defined]
        if 4711 in values:
            self._happen()
        return [counter[0] + len(values), counter[1] + int(values.sum())]

    def merge(self, left: list[int], right: list[int]) -> list[int]:
        return [left[0] + right[0], left[1] + right[1]]

    def _happen(self) -> None:
        tries = len(list(self.folder.iterdir()))
        (self.folder / f"{os.getpid()}-{time.time_ns()}").touch()
        if self.besides == "kill always" or (self.besides == "kill once" and tries == 0):
            os.kill(executor(), signal.SIGKILL)
            time.sleep(30)
        if self.besides == "slow once" and tries == 0:
            until = time.monotonic() + 120
            while time.monotonic() < until and len(list(self.folder.iterdir())) == 1:
                time.sleep(0.2)


def executor() -> int:
    """The process of the executor above this worker."""
    here = os.getpid()
    while here > 1:
        if b"CoarseGrainedExecutorBackend" in Path(f"/proc/{here}/cmdline").read_bytes():
            return here
        here = int(Path(f"/proc/{here}/stat").read_text().rsplit(")", 1)[1].split()[1])
    raise RuntimeError("no executor above this worker: is this local-cluster mode?")


@contextmanager
def workers(folder: str, hosts: tuple[str, ...]) -> Iterator[str]:
    """The address of a cluster with one worker of one core at each host."""
    from pyspark.find_spark_home import _find_spark_home

    with socket.socket() as free:
        free.bind((hosts[0], 0))
        port = free.getsockname()[1]
    address, run = f"spark://{hosts[0]}:{port}", f"{_find_spark_home()}/bin/spark-class"
    parts = [["master.Master", "--host", hosts[0], "--port", str(port), "--webui-port", "0"]]
    for host in hosts:
        part = ["worker.Worker", "--host", host, "--webui-port", "0", "--cores", "1"]
        parts.append([*part, "--memory", "1g", "--work-dir", folder, address])
    begun = [
        subprocess.Popen(
            [run, f"org.apache.spark.deploy.{part[0]}", *part[1:]], stderr=subprocess.DEVNULL
        )
        for part in parts
    ]
    try:
        yield address
    finally:
        for one in reversed(begun):
            one.terminate()
            one.wait()


def cluster(address: str) -> object:
    """A session with the executors of a cluster, that runs slow tasks a second time."""
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.executorEnv.PYTHONPATH": os.pathsep.join(sys.path),
        "spark.io.encryption.enabled": "true",
        "spark.speculation": "true",
        "spark.speculation.interval": "100ms",
        "spark.speculation.quantile": "0.5",
        "spark.speculation.multiplier": "1.2",
        "spark.speculation.minTaskRuntime": "500ms",
        "spark.locality.wait": "0s",
    }
    builder = SparkSession.builder.master(address).appName("tacit-executors")
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def happens(source: SparkTable, right: list[int], folder: Path, besides: str, may: str) -> bool:
    """Whether a pass during which something happens ends as it may."""
    seen = folder / besides.replace(" ", "-")
    seen.mkdir()
    begun = time.monotonic()
    try:
        found = source.fold(["x"], lambda batch: batch, Counts(seen, besides))
        said = "right" if found == right else f"WRONG {found}"
    except SourceChanged as refusal:
        said = "refused" if "4711" not in str(refusal) else "TOLD a value"
    tries, took = len(list(seen.iterdir())), time.monotonic() - begun
    print(f"{besides}: {said}, tried {tries} times, {took:.0f} s", flush=True)
    return said in may.split(" or ") and (tries > 1 or besides == "nothing")


def main() -> int:
    """Whether every run was right or refused."""
    try:
        import pyspark
    except ImportError:
        pyspark = None
    if pyspark is None or shutil.which("java") is None or sys.platform != "linux":
        print("SKIPPED: needs pyspark, Java 17 and Linux")
        return 0
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        workers(f"{folder}/work", ("127.0.0.1", "127.0.0.2")) as address,
    ):
        session = cluster(address)
        try:
            path = Path(folder) / "people.parquet"
            x = np.random.default_rng(1).permutation(ROWS)
            pq.write_table(pa.table({"x": x}), path)
            frame = session.read.parquet(str(path)).repartition(PARTS)  # type: ignore[attr-defined]
            source = SparkTable(frame, name="people")
            source.check(["x"])
            right = [ROWS, int(x.sum())]
            bad = sum(not happens(source, right, Path(folder), *case) for case in CASES)
        finally:
            session.stop()  # type: ignore[attr-defined]
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
