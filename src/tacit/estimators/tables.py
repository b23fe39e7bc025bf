"""The classifiers over whole tables, by name."""

from tacit.estimators.additive import AdditiveClassifier
from tacit.estimators.alarms import AlarmClassifier
from tacit.estimators.best_rule import BestRuleClassifier
from tacit.estimators.boosted import BoostedTreesClassifier
from tacit.estimators.informed import InformedTreeClassifier
from tacit.estimators.private_selection import PrivateSelection
from tacit.estimators.products import BoxClassifier, ConjunctionClassifier, IntervalClassifier
from tacit.estimators.score import ScoreClassifier
from tacit.estimators.set_tree import SetTreeClassifier
from tacit.estimators.tree import RuleListClassifier, StumpClassifier, TreeClassifier

__all__ = [
    "AdditiveClassifier",
    "AlarmClassifier",
    "BestRuleClassifier",
    "BoostedTreesClassifier",
    "BoxClassifier",
    "ConjunctionClassifier",
    "InformedTreeClassifier",
    "IntervalClassifier",
    "PrivateSelection",
    "RuleListClassifier",
    "ScoreClassifier",
    "SetTreeClassifier",
    "StumpClassifier",
    "TreeClassifier",
]
