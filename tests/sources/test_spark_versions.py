"""Workers of a cluster that cannot count as this process does are refused before anything is charged."""

import pickle
from importlib.metadata import version
from types import SimpleNamespace

import pytest

from tacit.core import BadInput
from tacit.sources.spark import SparkTable

OURS = version("tacit")


def _checked(*answers, count=lambda: 3):
    """What ``check`` says of workers that answer so; one that is no version fails."""

    def collect():
        if None in answers:
            raise RuntimeError("no module named tacit on host 4711")
        return [{"counter": pickle.dumps(one)} for one in answers]

    probe = SimpleNamespace(collect=collect)
    session = SimpleNamespace(range=lambda _: SimpleNamespace(mapInArrow=lambda *_: probe))
    counts = {"columns": ["x"], "inputFiles": list, "count": count}
    return SparkTable(SimpleNamespace(sparkSession=session, **counts), name="patients").check([])


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
