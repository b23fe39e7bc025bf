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
    BestRuleClassifier,
    BoxClassifier,
    ConjunctionClassifier,
    IntervalClassifier,
    MultiTaskClassifier,
    RatedClassifier,
    RuleListClassifier,
    ScoreClassifier,
    StumpClassifier,
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
        (TreeClassifier, {"depth": 5, "costs": {1: 20}}),
        (ConjunctionClassifier, {"form": "cnf", "clauses": 5, "costs": {1: 20}}),
        (BoxClassifier, {"other": "ignore", "costs": {1: 20}}),
    ],
    ids=["levels", "clauses", "ignored"],
)
def test_what_no_draw_by_costs_does_is_refused_in_one_sentence(kind, more):
    model = made(kind, **more)
    x, y = rare(50)
    with pytest.raises(BadInput, match="costs= is for labels none of whose") as told:
        model.fit(x, y)
    assert "\n" not in str(told.value)
    assert not model.ledger.entries


SEVERAL = [
    BestRuleClassifier,
    TreeClassifier,
    RuleListClassifier,
    StumpClassifier,
    ScoreClassifier,
]


@pytest.mark.parametrize("kind", SEVERAL)
def test_a_rare_label_of_three_is_found(kind, people, tmp_path):
    """By its cost and by balance, from a frame, a file and a task alike; without costs it is not."""
    told = np.where(people["ill"] == "yes", "ill", np.where(people["b"] > 0.5, "high", "low"))
    table = people[list(DOMAIN)].assign(state=told)
    table.to_csv(tmp_path / "people.csv", index=False)
    features, labels = table[list(DOMAIN)], table["state"]
    asked = {"classes": ("low", "high", "ill"), "epsilon": 2}

    def found(**more):
        model = made(kind, **asked, **more).fit(features, labels)
        return model, np.mean(model.predict(features)[labels == "ill"] == "ill")

    model, share = found(costs={"ill": 30})
    assert share > 0.7
    assert [one.cost for one in model.certificate_.measured.labels] == [1, 1, 30]
    assert plan(model.task()).best.algorithm.name == "costs"
    again = made(kind, **asked, costs={"ill": 30}).fit_file(tmp_path / "people.csv", label="state")
    assert again.rule_ == model.rule_
    release = learn(
        model.task(), table, label="state", ledger=Ledger.memory(), rng=seeded("costed")
    )
    assert release.value.rule.to_dict() == model.rule_.to_dict()
    balanced, share = found(costs="balanced")
    # One question has two answers, and no one total puts these three labels in a row.
    assert share > 0.7 or kind in (StumpClassifier, ScoreClassifier)
    assert "66.7 % on that average" in " ".join(balanced.certificate_.summary().split())
    assert found()[1] < 0.5


def test_a_class_that_learns_two_labels_says_which_learn_more_by_costs(people):
    model = made(BoxClassifier, classes=("no", "yes", "perhaps"), costs={"yes": 20})
    with pytest.raises(BadInput, match=r"BoxClassifier learns two labels.* for more, use a tree"):
        model.fit(people[list(DOMAIN)], people["ill"])
    assert not model.ledger.entries


@pytest.mark.parametrize("costs", [{1: 20}, "balanced"], ids=str)
@pytest.mark.parametrize("kind", [TreeClassifier, *KINDS])
def test_persons_have_the_costs_that_records_have(kind, costs):
    """The law hangs on counts alone, and one row of each person is a record."""
    x, y = rare(2000)
    frame = pd.DataFrame(x, columns=list(DOMAIN))
    rows = made(kind, costs=costs).fit(frame, y)
    persons = made(kind, costs=costs).fit(frame, y, groups=np.arange(2000))
    assert persons.rule_ == rows.rule_
    ours, theirs = persons.certificate_.measured, rows.certificate_.measured
    assert (ours.labels, ours.cost, ours.balanced) == (theirs.labels, theirs.cost, theirs.balanced)
    assert ours.about == "new persons (one row of each)"
    words = " ".join(persons.certificate_.summary().split())
    assert "2000 persons (one row of each), counted with noise" in words
    assert "a person on average" in words or costs == "balanced"


def test_rates_stand_beside_costs_of_three_labels_and_of_persons():
    x, y = rare(2000)
    y = np.where(y == 1, 2, x[:, 1] > 0.5).astype(int)
    base = made(TreeClassifier, classes=(0, 1, 2), costs={2: 20}, epsilon=2)
    rated = RatedClassifier(base).fit(pd.DataFrame(x, columns=list(DOMAIN)), y)
    assert rated.predict_proba(pd.DataFrame(x, columns=list(DOMAIN))).shape == (2000, 3)
    frame = pd.DataFrame(x, columns=list(DOMAIN)).assign(pid=np.arange(2000) // 2)
    base = made(TreeClassifier, classes=(0, 1, 2), costs={2: 20}, epsilon=2, unit="pid")
    certificate = RatedClassifier(base).fit(frame, y).certificate_
    assert certificate.n == 1000
    assert certificate.rates is not None
    assert certificate.measured.cost is not None
