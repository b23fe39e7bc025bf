"""Classifiers of one draw take costs; what cannot be drawn by them is refused before the charge."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from tests.problems.tables.table_costs_cases import rare

from tacit import Ledger, learn, plan
from tacit.checks.testing import seeded
from tacit.core import BadInput
from tacit.estimators import (
    BoxClassifier,
    ConjunctionClassifier,
    IntervalClassifier,
    MultiTaskClassifier,
    ScoreClassifier,
    TreeClassifier,
)

KINDS = [ScoreClassifier, IntervalClassifier, BoxClassifier, ConjunctionClassifier]
DOMAIN = {"a": (0, 1), "b": (0, 1)}


def made(kind, **more):
    asked = {"domain": DOMAIN, "bins": 4, "ledger": Ledger.memory(), "rng": seeded("costed")}
    return kind(**(asked | more))


@pytest.fixture(scope="module")
def people():
    x, y = rare(3000)
    return pd.DataFrame(x, columns=list(DOMAIN)).assign(ill=np.where(y, "yes", "no"))


@pytest.mark.parametrize("kind", KINDS)
def test_a_rare_label_is_found(kind, people, tmp_path):
    model = made(kind, classes=("no", "yes"), costs={"yes": 20, "no": 1}, epsilon=2)
    assert clone(model).costs == model.costs
    task = model.task()
    assert plan(task).best.algorithm.name == "costs"
    features, labels = people[list(DOMAIN)], people["ill"]
    said = model.fit(features, labels).predict(features)
    assert np.mean(said[labels == "yes"] == "yes") > 0.8
    people.to_csv(tmp_path / "people.csv", index=False)
    again = made(kind, classes=("no", "yes"), costs={"yes": 20, "no": 1}, epsilon=2)
    again.fit_file(tmp_path / "people.csv", label="ill")
    assert again.rule_ == model.rule_
    release = learn(
        task,
        people,
        label="ill",
        positive="yes",
        negative="no",
        ledger=Ledger.memory(),
        rng=seeded("costed"),
    )
    assert release.value.rule.to_dict() == model.rule_.to_dict()
    plain = made(kind, classes=("no", "yes"), epsilon=2).fit(features, labels)
    assert np.mean(plain.predict(features)[labels == "yes"] == "yes") < 0.5


@pytest.mark.parametrize("kind", [ScoreClassifier, BoxClassifier])
def test_several_rare_labels_are_found(kind):
    rng = np.random.default_rng(3)
    x = rng.random((6000, 2))
    y = np.stack([x[:, 0] > 0.75, x[:, 1] < 0.25], axis=1) & (rng.random((6000, 2)) < 0.3)
    base = made(kind, domain=[(0, 1)] * 2, epsilon=2, delta=1e-6, costs={"1": 20})
    said = MultiTaskClassifier(base).fit(x, y.astype(int)).predict(x)
    assert all(said[y[:, column], column].mean() > 0.9 for column in range(2))


@pytest.mark.parametrize(
    ("kind", "more"),
    [
        (ScoreClassifier, {"classes": (0, 1, 2), "costs": {1: 20}}),
        (TreeClassifier, {"classes": (0, 1, 2), "costs": "balanced"}),
        (TreeClassifier, {"depth": 5, "costs": {1: 20}}),
        (ConjunctionClassifier, {"form": "cnf", "clauses": 5, "costs": {1: 20}}),
        (BoxClassifier, {"other": "ignore", "costs": {1: 20}}),
    ],
    ids=["bands", "values", "levels", "clauses", "ignored"],
)
def test_what_no_draw_by_costs_does_is_refused_in_one_sentence(kind, more):
    model = made(kind, **more)
    x, y = rare(50)
    with pytest.raises(BadInput, match="costs= is for two labels") as told:
        model.fit(x, y)
    assert "\n" not in str(told.value)
    assert not model.ledger.entries
