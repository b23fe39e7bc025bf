"""Tests of ``tacit.estimators.one_column``."""

from __future__ import annotations

import pytest

from tacit.accounting import Ledger
from tacit.checks.testing import seeded
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
