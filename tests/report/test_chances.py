"""The chances that a released rule holds: of rates, of points, or none."""

import numpy as np
import pytest

from tacit import BadInput, Ledger
from tacit.checks.testing import seeded
from tacit.estimators import AdditiveClassifier, BoostedTreesClassifier, TreeClassifier
from tacit.report.chances import chances

X = np.random.default_rng(3).integers(0, 100, (400, 2))
Y = (X[:, 0] > 60).astype(int)


def fitted(kind):
    model = kind(
        domain=[(0, 100)] * 2, epsilon=50, delta=0, ledger=Ledger.memory(), rng=seeded("chances")
    )
    return model.fit(X, Y)


@pytest.mark.parametrize("kind", [AdditiveClassifier, BoostedTreesClassifier])
def test_points_are_the_logarithm_of_the_odds(kind):
    model = fitted(kind)
    both = chances(model.rule_, X)
    assert np.allclose(both, model.predict_proba(X))
    assert np.allclose(both.sum(axis=1), 1)
    assert both[Y == 1, 1].mean() > both[Y == 0, 1].mean() + 0.2


def test_a_rule_without_chances_says_how_to_get_them():
    with pytest.raises(BadInput, match="--rate-share"):
        chances(fitted(TreeClassifier).rule_, X)
