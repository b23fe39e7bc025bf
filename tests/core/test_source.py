"""Tests of ``tacit.core.source``."""

from tests.sources.opening_cases import _file

import tacit
from tacit import Accuracy, Ledger, Privacy, Task, learn, sanitize
from tacit.classes import Thresholds
from tacit.core import Source
from tacit.estimators import StumpClassifier

TASK = Task(Thresholds(size=11), privacy=Privacy(1), accuracy=Accuracy(0.1, 0.05))


def test_a_source_goes_everywhere_a_path_does(tmp_path):
    path = _file(tmp_path / "t.csv", "x;y\n" + "".join(f"{i % 11};{i % 2}\n" for i in range(40)))
    ledger = Ledger.memory(epsilon=100)
    source = tacit.read(path, delimiter=";")
    assert isinstance(source, Source)
    learn(TASK, source, label="y", ledger=ledger)
    sanitize(source, Thresholds(size=11), privacy=Privacy(1), column="x", ledger=ledger)
    StumpClassifier(domain={"x": (0, 10)}, ledger=ledger).fit_file(source, label="y")
    assert len(ledger.entries) == 3
