"""Tests of ``tacit.estimators.tables``."""

import pytest

from tacit import estimators
from tacit.cli.learn_table import classifier
from tacit.estimators import tables


def test_models_are_read_off_the_classifiers():
    named = tables.models()
    assert set(named.values()) == {getattr(tables, name) for name in tables.__all__}
    assert all(classifier(name) is kind for name, kind in named.items())
    words = {"tree", "rule", "rule-list", "stump", "set-tree", "interval", "box", "conjunction"}
    assert words | {"score", "alarms", "informed", "selection", "boosted"} <= set(named)


def test_a_classifier_that_is_added_to_the_module_is_a_model(monkeypatch):
    class AdditivePointsClassifier(estimators.StumpClassifier):
        """Another one."""

    monkeypatch.setattr(tables, "AdditivePointsClassifier", AdditivePointsClassifier, raising=False)
    monkeypatch.setattr(tables, "__all__", [*tables.__all__, "AdditivePointsClassifier"])
    assert classifier("additive-points") is AdditivePointsClassifier


def test_an_earlier_name_is_the_same_classifier_and_says_so():
    with pytest.warns(DeprecationWarning, match="HalfspaceClassifier is called ScoreClassifier"):
        assert estimators.HalfspaceClassifier is estimators.ScoreClassifier
    with pytest.warns(DeprecationWarning, match="TableClassifier is called MatrixClassifier"):
        assert estimators.TableClassifier is estimators.MatrixClassifier
    assert classifier("halfspace") is classifier("score") is estimators.ScoreClassifier
    with pytest.raises(AttributeError, match="no attribute"):
        _ = estimators.NoClassifier
