"""Tests of ``tacit.estimators.score``."""

import numpy as np
import pytest

from tacit import Ledger
from tacit.checks.testing import seeded
from tacit.estimators.tables import PrivateSelection, ScoreClassifier, TreeClassifier

pytestmark = pytest.mark.exact


def test_the_better_classifier_is_chosen():
    rng = np.random.default_rng(0)
    x = rng.random((3000, 2))
    y = (x[:, 0] + x[:, 1] > 1).astype(int)
    ledger = Ledger.memory(epsilon=6)
    choice = PrivateSelection(
        [("tree", TreeClassifier(depth=1)), ("score", ScoreClassifier())],
        tries=8,
        domain=(0, 1),
        epsilon=6,
        ledger=ledger,
        rng=seeded(3),
    ).fit(x, y)
    assert choice.chosen_ == "score"
    assert choice.score(x, y) > 0.9
    assert choice.certificate_.error < 0.2
    assert len(ledger.entries) == 1
