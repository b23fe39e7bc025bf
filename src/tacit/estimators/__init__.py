"""Private classifiers for scikit-learn: parameters are public, attributes are released."""

import warnings

from tacit.estimators.multitask import MultiTaskClassifier
from tacit.estimators.one_column import MatrixClassifier, PointClassifier, ThresholdClassifier
from tacit.estimators.rated import RatedClassifier
from tacit.estimators.tables import (
    AdditiveClassifier,
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
    SetTreeClassifier,
    StumpClassifier,
    TreeClassifier,
)

__all__ = [
    "AdditiveClassifier",
    "AlarmClassifier",
    "BestRuleClassifier",
    "BoostedTreesClassifier",
    "BoxClassifier",
    "ConjunctionClassifier",
    "InformedTreeClassifier",
    "IntervalClassifier",
    "MatrixClassifier",
    "MultiTaskClassifier",
    "PointClassifier",
    "PrivateSelection",
    "RatedClassifier",
    "RuleListClassifier",
    "ScoreClassifier",
    "SetTreeClassifier",
    "StumpClassifier",
    "ThresholdClassifier",
    "TreeClassifier",
]

_RENAMED = {"HalfspaceClassifier": "ScoreClassifier", "TableClassifier": "MatrixClassifier"}


def __getattr__(name: str) -> object:
    if name not in _RENAMED:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    new = _RENAMED[name]
    warnings.warn(f"{name} is called {new} now", DeprecationWarning, stacklevel=2)
    return globals()[new]
