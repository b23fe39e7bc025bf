"""Spark Connect: a server that is only reached by messages gives the same releases."""

import shutil
import subprocess
import sys

import pytest

pytest.importorskip("pyspark", reason="Spark is not installed (pip install 'tacit[spark]')")
pytest.importorskip("grpc", reason="Spark Connect needs pip install 'pyspark[connect]'")

pytestmark = pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs Java 17")

# A process of its own: a session of the other kind cannot be open beside it.
_SCRIPT = """
import sys, warnings
warnings.simplefilter("ignore")
import numpy as np, pyarrow as pa, pyarrow.parquet as pq
from pyspark.sql import SparkSession
from pyspark.sql.connect.session import SparkSession as Connected
import tacit.problems.thresholds.thresholds as thresholds
from tacit import Accuracy, Ledger, Privacy, Task, learn
from tacit.classes import Thresholds
from tacit.core import SourceChanged
from tacit.sources.spark import SparkTable
from tacit.testing import seeded

thresholds._MANY_ROWS = 0  # counted, not listed
session = SparkSession.builder.remote("local[2]").getOrCreate()
assert isinstance(session, Connected)
x = np.random.default_rng(1).integers(0, 1 << 20, 6000)
y = (x >= 600_000).astype(np.int64)
pq.write_table(pa.table({"x": x, "label": y}), sys.argv[1])
task = Task(
    Thresholds(bits=20), privacy=Privacy("0.5"), accuracy=Accuracy("0.2", "0.1"),
    setting="agnostic",
)
source = SparkTable(session.read.parquet(sys.argv[1]))
SparkTable.batches = lambda self, columns: sys.exit("records travelled")
found = learn(
    task, source, label="label", column="x", ledger=Ledger.memory(), rng=seeded(4)
).value.rule
assert found == learn(task, (x, y), ledger=Ledger.memory(), rng=seeded(4)).value, found


class Breaks:
    def zero(self):
        return 0

    def add(self, counter, batch):
        raise ValueError("the value 4711")

    def merge(self, left, right):
        return left + right


try:
    source.fold(["x"], lambda batch: batch, Breaks())
except SourceChanged as lost:
    assert "4711" not in str(lost) and lost.__cause__ is None
else:
    raise AssertionError("a worker that fails must be told")
session.stop()
print("the same")
"""


def test_the_same_threshold_through_a_connect_server(tmp_path, monkeypatch):
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    words = [sys.executable, "-c", _SCRIPT, str(tmp_path / "people.parquet")]
    run = subprocess.run(words, capture_output=True, text=True, check=False, timeout=300)
    assert run.returncode == 0, run.stderr[-2000:]
    assert run.stdout.strip().endswith("the same")
