"""scikit-learn classifiers, thin: parameters are public, attributes are released."""

from tacit.estimators.multitask import MultiTaskClassifier
from tacit.estimators.one_column import PointClassifier, TableClassifier, ThresholdClassifier
from tacit.estimators.rated import RatedClassifier
from tacit.estimators.tables import (
    BestRuleClassifier,
    BoostedTreesClassifier,
    BoxClassifier,
    ConjunctionClassifier,
    HalfspaceClassifier,
    IntervalClassifier,
    PrivateSelection,
    RuleListClassifier,
    StumpClassifier,
    TreeClassifier,
)

__all__ = [
    "BestRuleClassifier",
    "BoostedTreesClassifier",
    "BoxClassifier",
    "ConjunctionClassifier",
    "HalfspaceClassifier",
    "IntervalClassifier",
    "MultiTaskClassifier",
    "PointClassifier",
    "PrivateSelection",
    "RatedClassifier",
    "RuleListClassifier",
    "StumpClassifier",
    "TableClassifier",
    "ThresholdClassifier",
    "TreeClassifier",
]
