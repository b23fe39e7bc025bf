"""Classifiers with more than two declared labels, and a label of its own for all others."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris

import tacit
from tacit import Accuracy, BadInput, Ledger, Privacy, Task
from tacit.checks.testing import seeded
from tacit.classes import Trees
from tacit.domains.schema import Schema
from tacit.estimators import (
    BestRuleClassifier,
    BoxClassifier,
    MultiTaskClassifier,
    RatedClassifier,
    RuleListClassifier,
    ScoreClassifier,
    StumpClassifier,
    ThresholdClassifier,
    TreeClassifier,
)

SPECIES = ("setosa", "versicolor", "virginica")
COLUMNS = ("sepal_length", "sepal_width", "petal_length", "petal_width")


def iris():
    held = load_iris()
    frame = pd.DataFrame(held.data, columns=COLUMNS)
    return frame, pd.Series([SPECIES[one] for one in held.target], name="species")


def made(kind, epsilon=4, **more):
    more = {"classes": SPECIES, "ledger": Ledger.memory(100), "rng": seeded(5)} | more
    return kind(domain=dict.fromkeys(COLUMNS, (0, 8)), epsilon=epsilon, **more)


@pytest.mark.parametrize(
    ("kind", "least"),
    [
        (TreeClassifier, 0.9),
        (BestRuleClassifier, 0.9),
        (RuleListClassifier, 0.9),
        (StumpClassifier, 0.6),
        (ScoreClassifier, 0.9),
    ],
)
def test_three_species_are_learned(kind, least):
    x, y = iris()
    fitted = clone(made(kind)).fit(x, y)
    assert fitted.classes_.tolist() == list(SPECIES)
    answers = fitted.predict(x)
    assert set(answers) <= set(SPECIES)
    assert (answers == y).mean() > least
    assert "species is setosa" in fitted.describe()
    assert "species is setosa" in fitted.export_text()
    assert "species is setosa" in fitted.to_svg()
    assert fitted.release_.value.answers(x) == answers.tolist()
    told = json.loads(json.dumps(fitted.to_dict()))
    assert told["label"] == {"name": "species", "values": list(SPECIES)}
    assert told["rule"]["values"] == 3
    assert fitted.certificate_.asked.values == SPECIES


def test_numbers_as_labels_and_the_task_of_a_classifier():
    x, y = load_iris(return_X_y=True)
    model = TreeClassifier(
        domain=(0, 8), classes=(0, 1, 2), depth=2, epsilon=4, ledger=Ledger.memory(9), rng=seeded(1)
    )
    assert model.task.__self__ is model
    fitted = model.fit(x, y)
    assert fitted.predict(x).dtype.kind == "i"
    assert (fitted.predict(x) == y).mean() > 0.9
    asked = made(TreeClassifier, depth=2).task()
    assert (asked.values, asked.names) == (3, SPECIES)
    assert tacit.plan(asked).best.algorithm.name == "several label values"


def test_learn_and_fit_are_one_release():
    x, y = iris()
    schema = Schema.of(dict.fromkeys(COLUMNS, (0, 8)), bins=16)
    fitted = made(TreeClassifier, depth=2).fit(x, y)
    asked = Task(
        Trees(schema, depth=2),
        privacy=Privacy(4),
        accuracy=Accuracy("0.1", "0.05"),
        setting="agnostic",
        values=SPECIES,
    )
    release = tacit.learn(
        asked, x.assign(species=y), label="species", ledger=Ledger.memory(9), rng=seeded(5)
    )
    assert release.value == fitted.release_.value
    assert release.certificate.to_dict()["certified"] == fitted.certificate_.to_dict()["certified"]


def test_all_other_labels_may_have_a_label_of_their_own():
    x, y = iris()
    y = y.where(y != "virginica", None)
    fitted = made(TreeClassifier, classes=SPECIES[:2], other="class").fit(x, y)
    assert fitted.classes_.tolist() == ["setosa", "versicolor", "other"]
    wanted = y.fillna("other")
    assert (fitted.predict(x) == wanted).mean() > 0.9
    assert fitted.certificate_.asked.values == ("setosa", "versicolor", "other")
    assert "together one more label, 'other'" in str(fitted.certificate_)
    with pytest.raises(BadInput, match="called 'other'"):
        made(TreeClassifier, classes=("a", "other"), other="class").fit(x, y)


def test_other_labels_count_as_the_first_or_are_ignored():
    x, y = iris()
    y = y.where(y != "setosa", "unknown")
    first = made(TreeClassifier).fit(x, y)
    assert (first.predict(x)[:50] == "setosa").mean() > 0.9
    assert "counts as setosa, the first" in str(first.certificate_)
    ignored = made(TreeClassifier, other="ignore").fit(x, y)
    assert (ignored.predict(x)[50:] == y[50:]).mean() > 0.9
    assert (ignored.predict(x) == "setosa").mean() < 0.1
    assert ignored.certificate_.n == 150


def test_persons_have_several_rows():
    x, y = iris()
    ids = np.arange(150) // 3 % 50
    fitted = made(TreeClassifier, epsilon=20).fit(x, y, groups=ids, rows_per_unit=3)
    assert fitted.certificate_.n == 50
    assert (fitted.predict(x) == y).mean() > 0.6


def test_a_private_score_counts_right_answers():
    x, y = iris()
    fitted = made(TreeClassifier).fit(x, y)
    exact = float(fitted.score(x, y))
    assert abs(fitted.private_score(x, y, epsilon=50) - exact) < 0.05


@pytest.mark.parametrize(
    ("kind", "words"),
    [(BoxClassifier, "learns two labels"), (ThresholdClassifier, "learns two labels")],
)
def test_what_learns_two_labels_says_so_before_the_charge(kind, words):
    x, y = iris()
    book = Ledger.memory(9)
    domain = 8 if kind is ThresholdClassifier else (0, 8)
    with pytest.raises(BadInput, match=words):
        kind(domain=domain, classes=SPECIES, ledger=book).fit(x, y)
    with pytest.raises(BadInput, match=words):
        kind(domain=domain, classes=SPECIES[:2], other="class", ledger=book).fit(x, y)
    assert not book.entries


def test_several_columns_and_deep_trees_refuse_more_than_two_labels():
    x, y = iris()
    book = Ledger.memory(9)
    tree = made(TreeClassifier, ledger=book)
    with pytest.raises(BadInput, match="two labels"):
        MultiTaskClassifier(tree).fit(x, np.stack([y, y], axis=1))
    with pytest.raises(BadInput, match="costs name the label 'rose'"):
        made(TreeClassifier, ledger=book, costs={"rose": 5}).fit(x, y)
    with pytest.raises(BadInput, match="use fewer levels"):
        made(TreeClassifier, ledger=book, costs={"setosa": 5}, depth=5).fit(x, y)
    with pytest.raises(BadInput, match="no algorithm"):
        made(TreeClassifier, ledger=book, depth=5).fit(x, y)
    for classes in (("a",), ("a", "a", "b"), (("a", "b"), ("c", "d"))):
        with pytest.raises(BadInput, match="classes must list"):
            made(TreeClassifier, ledger=book, classes=classes).fit(x, y)
    assert not book.entries


def test_rates_of_more_than_two_labels_are_those_of_the_flowers():
    x, y = iris()
    book = Ledger.memory(9)
    model = RatedClassifier(made(TreeClassifier, ledger=book)).fit(x, y)
    chances = model.predict_proba(x)
    assert chances.shape == (len(y), 3)
    assert np.allclose(chances.sum(axis=1), 1)
    assert len(book.entries) == 1


def test_wide_tables_of_several_labels_keep_the_usual_cells():
    wide = {f"c{place}": (0, 1) for place in range(30)}
    two = BestRuleClassifier(domain=wide, classes=(0, 1)).task().concept_class.schema
    three = BestRuleClassifier(domain=wide, classes=(0, 1, 2)).task().concept_class.schema
    assert sum(three.cells) < sum(two.cells)
