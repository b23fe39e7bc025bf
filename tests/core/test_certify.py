"""What may be said about a release is the algorithm's own to tell."""

import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import tacit
from tacit import Accuracy, BadInput, Ledger, Privacy, Task, learn
from tacit.classes import Points, Thresholds
from tacit.testing import seeded

PACKAGE = Path(tacit.__file__).parent

FRONT = [
    *(PACKAGE / room for room in ("api.py", "audit.py")),
    *(
        path
        for room in ("report", "planner", "cli", "page")
        for path in (PACKAGE / room).rglob("*.py")
    ),
]

KINDS = (
    r"isinstance\([^)]*\b(Drawer|Measuring|Checked|Chosen|CheckedLearner|BestOf|OverTable|Found)\b"
)


def test_nobody_else_asks_what_kind_of_learner_or_release_it_is():
    assert len(FRONT) > 60
    asking = [
        f"{path.relative_to(PACKAGE)}: {line.strip()}"
        for path in FRONT
        for line in path.read_text("utf-8").splitlines()
        if re.search(KINDS, line)
    ]
    assert asking == []


def test_counted_mistakes_are_certified_for_a_class_without_a_table():
    ages = np.arange(4000) % 100
    task = Task(
        Thresholds(size=100), privacy=Privacy(1), accuracy=Accuracy("0.1", "0.1"), error_share="0.1"
    )
    release = learn(task, (ages, ages >= 50), ledger=Ledger.memory(), rng=seeded(1))
    said = release.certified
    assert said.measured.epsilon == Fraction(1, 10)
    assert said.compared is None
    assert said.what == task.concept_class.describe()


def test_a_count_that_says_nothing_is_refused_before_the_charge():
    task = Task(
        Points(bits=100), privacy=Privacy(1), accuracy=Accuracy("0.1", "0.1"), error_share="0.1"
    )
    ledger = Ledger.memory()
    with pytest.raises(BadInput, match="have no public prior"):
        learn(task, ([1, 2], [0, 1]), ledger=ledger, algorithm="random-sets")
    assert list(ledger.entries) == []
