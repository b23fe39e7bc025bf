"""Tests of ``tacit.estimators.tables``."""

import pytest

from tacit import estimators
from tacit.cli.learn_table import MODELS, classifier
from tacit.estimators import tables


def test_every_named_model_exists():
    assert all(hasattr(tables, name) for name in MODELS.values())


def test_an_earlier_name_is_the_same_classifier_and_says_so():
    with pytest.warns(DeprecationWarning, match="HalfspaceClassifier is called ScoreClassifier"):
        assert estimators.HalfspaceClassifier is estimators.ScoreClassifier
    with pytest.warns(DeprecationWarning, match="TableClassifier is called MatrixClassifier"):
        assert estimators.TableClassifier is estimators.MatrixClassifier
    assert classifier("halfspace") is classifier("score") is estimators.ScoreClassifier
    with pytest.raises(AttributeError, match="no attribute"):
        _ = estimators.NoClassifier
