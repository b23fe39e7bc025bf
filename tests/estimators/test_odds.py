"""Tests of ``tacit.estimators.odds``."""

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from tacit import Ledger
from tacit.checks.testing import seeded
from tacit.estimators import AdditiveClassifier, BoostedTreesClassifier
from tacit.estimators.odds import OddsClassifier

pytestmark = pytest.mark.exact


@pytest.mark.parametrize("kind", [AdditiveClassifier, BoostedTreesClassifier])
def test_points_stand_for_odds(kind):
    rng = np.random.default_rng(3)
    x = rng.random((2000, 2))
    y = (x[:, 0] > 0.5).astype(int)
    made = kind(domain=[(0, 1)] * 2, bins=4, epsilon=8, ledger=Ledger.memory(), rng=seeded("odds"))
    assert isinstance(made, OddsClassifier)
    with pytest.raises(NotFittedError):
        made.decision_function(x)
    made.fit(x, y)
    odds = made.rule_.score(x) / 20
    if kind is BoostedTreesClassifier:  # a score whose gaps were capped: odds are twice its chance
        score, odds = odds, np.log(2 / (1 + np.exp(abs(odds)))) * -np.sign(odds)
        assert (np.argsort(score) == np.argsort(odds)).all()
    assert np.allclose(made.decision_function(x), odds)
    chance = made.predict_proba(x)
    assert chance.shape == (2000, 2)
    assert np.allclose(chance[:, 1] / chance[:, 0], np.exp(odds))
