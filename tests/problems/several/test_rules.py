"""Several label columns through ``learn`` and ``MultiTaskClassifier``."""

from fractions import Fraction as F

import numpy as np
import pytest
from sklearn.base import clone

from tacit import Accuracy, BadInput, BudgetRefused, Ledger, Privacy, Task, learn
from tacit.checks.testing import seeded
from tacit.classes import Points, Thresholds
from tacit.core import REPLACE_ONE, hypothesis_from_dict
from tacit.estimators import MultiTaskClassifier, PointClassifier, ThresholdClassifier
from tacit.problems.finite.finite_class import FiniteClassLearner
from tacit.problems.several.direct_sum import DirectSum
from tacit.problems.several.rules import Rules

POINT = Points(size=4).hypothesis(1)


def thresholds(k=3, **more):
    given = {"privacy": Privacy(1, "1e-6"), "accuracy": Accuracy("0.1", "0.05")} | more
    return Task(Thresholds(size=100), k=k, **given)


def table(n=4000):
    x = np.random.default_rng(0).integers(0, 100, n)
    return x, np.stack([x >= 20, x >= 50, x >= 90], axis=1)


def test_learn_returns_one_rule_a_task_and_charges_once():
    ledger = Ledger.memory(1, "1e-6")
    x, y = table()
    release = learn(thresholds(), (x, y), ledger=ledger, rng=seeded(1))
    assert len(release.value) == 3
    assert np.mean(release.value.predict(x) != y) < 0.1
    assert len(ledger.entries) == 1
    assert ledger.spent.epsilon <= 1
    assert release.certificate.accurate is True
    assert "each of the 3 rules" in release.certificate.to_markdown()
    back = hypothesis_from_dict(release.value.to_dict())
    assert back == release.value


def test_the_budget_holds_for_all_tasks_together():
    with pytest.raises(BudgetRefused):
        learn(thresholds(), table(), ledger=Ledger.memory("1/2", "1e-6"))


def test_wrong_number_of_columns_is_a_clear_error():
    x, y = table(50)
    with pytest.raises(BadInput, match="columns of labels"):
        learn(thresholds(k=4), (x, y))
    with pytest.raises(BadInput, match="columns of labels"):
        learn(thresholds(k=2), (x, y[:, 0]))


def test_classifier_learns_all_columns():
    x, y = table()
    ledger = Ledger.memory(4, "1e-6")
    base = ThresholdClassifier(
        domain=100, epsilon=4, delta="1e-6", classes=(False, True), ledger=ledger, rng=seeded(2)
    )
    fitted = MultiTaskClassifier(base).fit(x[:, None], y)
    assert clone(fitted).estimator.ledger is ledger
    assert fitted.predict(x[:, None]).shape == y.shape
    assert fitted.score(x[:, None], y) > 0.7
    assert len(fitted.classes_) == 3
    assert len(ledger.entries) == 1
    assert ">=" in fitted.describe()


def test_classifier_for_points_uses_one_histogram():
    x = np.random.default_rng(0).integers(0, 5, 3000)
    y = x[:, None] == np.arange(5)
    base = PointClassifier(
        domain=2**40, epsilon=1, delta="1e-6", setting="realizable", rng=seeded(1)
    )
    fitted = MultiTaskClassifier(base).fit(x[:, None], y)
    assert fitted.score(x[:, None], y) == 1
    assert fitted.certificate_.to_dict()["algorithm"] == "several-points-proper-histogram"


@pytest.mark.parametrize("bad", [None, [1, 0, 1], np.zeros((3, 0))])
def test_classifier_wants_a_table_of_labels(bad):
    with pytest.raises(BadInput):
        MultiTaskClassifier(ThresholdClassifier(domain=4)).fit([[1], [2], [3]], bad)
    with pytest.raises(BadInput):
        MultiTaskClassifier("tree").fit([[1]], [[1]])


def test_no_records_are_refused_before_the_charge():
    job = Task(Points(bits=8), k=2, privacy=Privacy(1, "1e-6"), accuracy=Accuracy("0.1", "0.1"))
    ledger = Ledger.memory(epsilon=2, delta="1e-3")
    with pytest.raises(BadInput, match="no records"):
        learn(job, (np.zeros(0, dtype=int), np.zeros((0, 2), dtype=int)), ledger=ledger)
    assert not ledger.entries


@pytest.mark.parametrize("rules", [(), (Rules(rules=(POINT,)),)], ids=["none", "nested"])
def test_rules_are_one_a_label(rules):
    with pytest.raises(BadInput, match="at least one rule"):
        Rules(rules=rules)
    record = {"kind": "rules", "rules": [one.to_dict() for one in rules]}
    with pytest.raises(BadInput):
        hypothesis_from_dict(record)


def test_no_task_may_spend_more_than_its_share():
    learner = FiniteClassLearner(
        concept_class=Points(bits=4), epsilon=F(1, 5), relation=REPLACE_ONE
    )
    with pytest.raises(BadInput, match="share"):
        DirectSum(learner=learner, domain=Points(bits=4).domain, k=10, together=(F(1), F(1, 10**6)))
