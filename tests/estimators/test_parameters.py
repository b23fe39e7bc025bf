"""Parameters that a classifier does not take: told in words who does, or refused by Python."""

import copy
import inspect
import pickle

import pytest
from sklearn.base import clone

from tacit import estimators
from tacit.core import BadInput
from tacit.estimators import (
    AdditiveClassifier,
    BoostedTreesClassifier,
    ScoreClassifier,
    ThresholdClassifier,
)
from tacit.estimators.base import TacitClassifier


@pytest.mark.parametrize("kind", [AdditiveClassifier, BoostedTreesClassifier, ThresholdClassifier])
def test_costs_are_refused_with_those_who_take_them(kind):
    with pytest.raises(
        BadInput, match=f"{kind.__name__} takes no costs=: TreeClassifier, "
    ) as told:
        kind(costs={"yes": 20})
    for taker in ("BestRuleClassifier", "BoxClassifier", "ScoreClassifier", "StumpClassifier"):
        assert taker in str(told.value)
    assert "AlarmClassifier" not in str(told.value)


def test_what_nobody_takes_is_for_python_to_refuse():
    with pytest.raises(TypeError, match="sizes"):
        ScoreClassifier(sizes=3)
    with pytest.raises(BadInput, match="BoostedTreesClassifier do"):
        ScoreClassifier(rounds=3)


def test_classifiers_are_made_copied_and_described_as_before():
    for name in estimators.__all__:
        kind = getattr(estimators, name)
        if not issubclass(kind, TacitClassifier):
            continue
        assert list(inspect.signature(kind).parameters) == [
            one for one in inspect.signature(kind.__init__).parameters if one != "self"
        ]
    made = ScoreClassifier(epsilon=2)
    for again in (clone(made), copy.deepcopy(made), pickle.loads(pickle.dumps(made))):
        assert again.get_params()["epsilon"] == 2
