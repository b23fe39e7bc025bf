"""Workers of a cluster that cannot count as this process does are refused before anything is charged."""

import pickle
from importlib.metadata import version
from types import SimpleNamespace

import pytest

from tacit.core import BadInput
from tacit.sources.spark import SparkTable

OURS = version("tacit")


def _checked(*answers):
    """What ``check`` says of workers that answer so; one that is no version fails."""

    def collect():
        if None in answers:
            raise RuntimeError("no module named tacit on host 4711")
        return [{"counter": pickle.dumps(one)} for one in answers]

    probe = SimpleNamespace(collect=collect)
    session = SimpleNamespace(range=lambda _: SimpleNamespace(mapInArrow=lambda *_: probe))
    frame = SimpleNamespace(sparkSession=session)
    table = SimpleNamespace(_same=lambda: None, _frame=frame, name="patients")
    return SparkTable.check(table, [])


def test_workers_of_one_version_are_taken():
    assert _checked(OURS) is None
    assert _checked(OURS, OURS, OURS) is None


@pytest.mark.parametrize("answers", [("0.0.9",), (OURS, "0.0.9"), (OURS, None), ()])
def test_one_worker_of_another_version_or_without_is_refused(answers):
    with pytest.raises(BadInput, match="workers cannot import tacit") as refused:
        _checked(*answers)
    assert "4711" not in str(refused.value)
    assert refused.value.__cause__ is None
