"""scikit-learn classifiers, thin: parameters are public, attributes are released."""

import warnings

from tacit.estimators.multitask import MultiTaskClassifier
from tacit.estimators.one_column import PointClassifier, TableClassifier, ThresholdClassifier
from tacit.estimators.rated import RatedClassifier
from tacit.estimators.tables import (
    AlarmClassifier,
    BestRuleClassifier,
    BoostedTreesClassifier,
    BoxClassifier,
    ConjunctionClassifier,
    InformedTreeClassifier,
    IntervalClassifier,
    PrivateSelection,
    RuleListClassifier,
    ScoreClassifier,
    StumpClassifier,
    TreeClassifier,
)

__all__ = [
    "AlarmClassifier",
    "BestRuleClassifier",
    "BoostedTreesClassifier",
    "BoxClassifier",
    "ConjunctionClassifier",
    "InformedTreeClassifier",
    "IntervalClassifier",
    "MultiTaskClassifier",
    "PointClassifier",
    "PrivateSelection",
    "RatedClassifier",
    "RuleListClassifier",
    "ScoreClassifier",
    "StumpClassifier",
    "TableClassifier",
    "ThresholdClassifier",
    "TreeClassifier",
]

_RENAMED = {"HalfspaceClassifier": "ScoreClassifier"}


def __getattr__(name: str) -> object:
    if name not in _RENAMED:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    new = _RENAMED[name]
    warnings.warn(f"{name} is called {new} now", DeprecationWarning, stacklevel=2)
    return globals()[new]
