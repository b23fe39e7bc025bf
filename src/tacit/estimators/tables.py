"""The classifiers over whole tables, by name."""

import re

from tacit.estimators.additive import AdditiveClassifier
from tacit.estimators.alarms import AlarmClassifier
from tacit.estimators.best_rule import BestRuleClassifier
from tacit.estimators.boosted import BoostedTreesClassifier
from tacit.estimators.informed import InformedTreeClassifier
from tacit.estimators.private_selection import PrivateSelection
from tacit.estimators.products import BoxClassifier, ConjunctionClassifier, IntervalClassifier
from tacit.estimators.score import ScoreClassifier
from tacit.estimators.set_tree import SetTreeClassifier
from tacit.estimators.table_base import RuleClassifier
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


def models() -> dict[str, type[RuleClassifier]]:
    """The classifiers of this module by the names that ``--model`` takes: the usual one first.

    A name is the class's own without "Classifier" (``rule-list``), or its ``_model``.

    >>> list(models())[0], models()["rule-list"].__name__
    ('tree', 'RuleListClassifier')
    """
    kinds = [globals()[name] for name in __all__]
    named = {vars(kind).get("_model") or _spelled(kind.__name__): kind for kind in kinds}
    return dict(sorted(named.items(), key=lambda one: one[0] != _spelled(TreeClassifier.__name__)))


def _spelled(name: str) -> str:
    words = re.sub("(?<=[a-z])(?=[A-Z])", "-", name.removesuffix("Classifier"))
    return words.lower()
