"""Workers of a cluster that cannot count as this process does are refused before anything is charged."""

import pickle
from importlib.metadata import version
from types import SimpleNamespace

import pyarrow as pa
import pytest

from tacit.core import BadInput
from tacit.sources.spark import SparkTable
from tacit.sources.spark_workers import count_partition, keep_persons, merge_counters

OURS = version("tacit")


class _Session:
    """A session whose workers answer so; one that has no version fails."""

    def __init__(self, *answers):
        self.answers, self.asked = answers, 0

    def range(self, _):
        return self

    def mapInArrow(self, *_):
        return self

    def collect(self):
        self.asked += 1
        if None in self.answers:
            raise RuntimeError("no module named tacit on host 4711")
        return [{"version": one} for one in self.answers]


def _asked(session, count=lambda: 3):
    counts = {"columns": ["x"], "inputFiles": list, "count": count}
    return SparkTable(SimpleNamespace(sparkSession=session, **counts), name="patients").check([])


def _checked(*answers, count=lambda: 3):
    """What ``check`` says of workers that answer so."""
    return _asked(_Session(*answers), count)


def test_workers_of_one_version_are_taken():
    assert _checked(OURS) is None
    assert _checked(OURS, OURS, OURS) is None


@pytest.mark.parametrize("answers", [("0.0.9",), (OURS, "0.0.9"), (OURS, None), ()])
def test_one_worker_of_another_version_or_without_is_refused(answers):
    with pytest.raises(BadInput, match="workers cannot import tacit") as refused:
        _checked(*answers)
    assert "4711" not in str(refused.value)
    assert "PYSPARK_PYTHON" in str(refused.value)
    assert refused.value.__cause__ is None


def test_records_that_cannot_be_counted_are_left_to_whoever_asks():
    def lost():
        raise RuntimeError("host 4711")

    assert _checked(OURS, count=lost) is None
    with pytest.raises(BadInput, match="workers cannot import tacit"):
        _checked("0.0.9", count=lost)


def test_workers_are_asked_once_in_a_session_and_again_if_they_were_refused():
    right, wrong = _Session(OURS), _Session("0.0.9")
    for _ in range(3):
        assert _asked(right) is None
        with pytest.raises(BadInput, match="workers cannot import tacit"):
            _asked(wrong)
    assert right.asked == 1
    assert wrong.asked == 3
    wrong.answers = (OURS,)
    assert _asked(wrong) is None


@pytest.mark.parametrize(
    "work",
    [
        lambda batches: count_partition("0.0.9", lambda batch: batch, SimpleNamespace(), batches),
        lambda batches: merge_counters("0.0.9", SimpleNamespace(), batches),
        lambda batches: keep_persons("0.0.9", ["x"], lambda rows: rows, batches),
    ],
)
def test_a_worker_of_another_version_counts_nothing(work):
    def untouched():
        pytest.fail("a record was read")
        yield pa.record_batch({"x": [1]})

    with pytest.raises(RuntimeError, match="another version"):
        list(work(untouched()))


def test_workers_join_batches_with_the_oldest_arrow_too(monkeypatch):
    pytest.importorskip("pyspark", reason="Spark is not installed (pip install 'tacit[spark]')")
    monkeypatch.delattr(pa, "concat_batches", raising=False)  # Arrow 17 has none

    def seen():
        yield from (pa.record_batch({"c0": [place, place + 1]}) for place in range(3))

    tally = SimpleNamespace(
        zero=list, add=lambda counter, batch: [*counter, *batch["c0"].to_pylist()]
    )
    (sent,) = count_partition(OURS, lambda batch: batch, tally, seen())
    assert sent.column("rows").to_pylist() == [6]
    assert pickle.loads(sent.column("counter")[0].as_py()) == [0, 1, 1, 2, 2, 3]
