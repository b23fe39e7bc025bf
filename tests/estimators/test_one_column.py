"""Tests of ``tacit.estimators.one_column``."""

from __future__ import annotations

import numpy as np
import pytest

from tacit import Accuracy, Privacy, Task, learn
from tacit.accounting import Ledger
from tacit.checks.testing import seeded
from tacit.classes import Points
from tacit.core import BadInput, Sample
from tacit.estimators.multitask import MultiTaskClassifier
from tacit.estimators.one_column import PointClassifier


@pytest.mark.parametrize("last", [0.0, "word"])
def test_a_word_among_the_labels_leaves_the_private_score(last):
    x = [[3]] * 200
    rule = PointClassifier(domain=8, epsilon=50, rng=seeded(1), ledger=Ledger.memory())
    fitted = rule.fit(x, [1] * 200)
    labels = [1.0] * 199 + [last]
    assert fitted.private_score(x, labels, epsilon=50) > 0.9


@pytest.mark.parametrize("last", [0.0, "word"])
def test_a_word_among_several_labels_leaves_the_other_rows(last):
    base = PointClassifier(domain=8, epsilon=50, rng=seeded(1), ledger=Ledger.memory())
    labels = [[1.0, 1.0]] * 199 + [[0.0, last]]
    rules = MultiTaskClassifier(base).fit([[3]] * 200, labels)
    assert rules.predict([[3], [4]]).tolist() == [[1, 1], [0, 0]]


LABELS = ([1], [0], [1] * 199, [1] * 201, [])
"""Numbers of labels that numpy would stretch over 200 records, or cut."""


@pytest.mark.parametrize("labels", LABELS, ids=len)
def test_a_score_is_of_as_many_labels_as_records(labels):
    """One label that stands for all records would move the score by all of them."""
    ledger = Ledger.memory()
    fitted = PointClassifier(domain=8, epsilon=50, rng=seeded(1), ledger=ledger)
    fitted.fit([[3]] * 200, [1] * 200)
    charged = len(ledger.entries)
    with pytest.raises(ValueError, match="one label per row"):
        fitted.private_score([[3]] * 200, labels, epsilon="0.01")
    assert len(ledger.entries) == charged


@pytest.mark.parametrize("labels", LABELS, ids=len)
def test_a_sample_has_as_many_labels_as_records(labels):
    ledger = Ledger.memory()
    task = Task(Points(size=8), privacy=Privacy("0.01"), accuracy=Accuracy("0.2", "0.1"))
    with pytest.raises(BadInput):
        learn(task, Sample(np.full(200, 3), np.array(labels)), ledger=ledger)
    assert not ledger.entries
