"""What a rule says beyond its answers: the distance to the other one, and balanced answers."""

from itertools import product

import numpy as np
import pytest
from benchmarks.real_tables.rates import auc
from tests.complete import complete

from tacit import Ledger
from tacit.checks.testing import seeded
from tacit.core import BadInput
from tacit.estimators import (
    BestRuleClassifier,
    BoostedTreesClassifier,
    BoxClassifier,
    ScoreClassifier,
    StumpClassifier,
    TreeClassifier,
)
from tacit.problems.tables.boosted_rules import BoostedRule
from tacit.problems.tables.ranking import ranking_of
from tacit.problems.tables.scores import ScoreRule
from tacit.problems.tables.tree_nodes import Cut
from tacit.problems.tables.trees import TreeRule

SCHEMA = complete([range(5), range(4), ["a", "b", "c"]])
ROWS = list(product(range(5), range(4), "abc"))
CELLS = np.array(list(product(range(5), range(4), range(3))))
CUTS = [
    *(Cut(0, cell, True) for cell in range(4)),
    *(Cut(1, cell, True) for cell in range(3)),
    *(Cut(2, cell, False) for cell in range(3)),
]


def random_node(rng, levels):
    if not levels or rng.random() < 0.2:
        return bool(rng.integers(2))
    return (
        CUTS[rng.integers(len(CUTS))],
        random_node(rng, levels - 1),
        random_node(rng, levels - 1),
    )


def apart(left, right):
    """The largest change of a column between two records, a category counting as a whole range."""
    return max(
        abs(int(left[0]) - int(right[0])) / 5,
        abs(int(left[1]) - int(right[1])) / 4,
        float(left[2] != right[2]),
    )


@pytest.mark.parametrize("seed", range(12))
def test_of_a_tree_it_is_the_distance_to_the_nearest_record_with_the_other_answer(seed):
    rule = TreeRule(schema=SCHEMA, root=random_node(np.random.default_rng(seed), 3))
    said = rule.predict(ROWS)
    for row, answer, number in zip(CELLS, said, ranking_of(rule, ROWS), strict=True):
        others = [apart(row, other) for other in CELLS[said != answer]]
        assert number == pytest.approx((1 if answer else -1) * min([*others, 1.0]))


@pytest.mark.parametrize("weights", [(1, 1), (2, -1)])
def test_of_points_it_is_their_order_and_the_answer_is_its_sign(weights):
    rule = ScoreRule(schema=SCHEMA, columns=(0, 1), weights=weights, threshold=3, top=4)
    found = ranking_of(rule, ROWS)
    assert ((found > 0) == rule.predict(ROWS)).all()
    assert len(set(found)) > 5


def test_the_area_is_at_least_that_of_the_answers_where_odds_rise_with_the_column():
    rng = np.random.default_rng(3)
    values = rng.integers(0, 5, 20_000)
    y = rng.random(len(values)) < (values + 1) / 7
    rows = [(int(value), 0, "a") for value in values]
    for cell in range(4):
        rule = TreeRule(schema=SCHEMA, root=(Cut(0, cell, True), False, True))
        assert auc(y, ranking_of(rule, rows)) > auc(y, rule.predict(rows)) + 0.02


def table(n=3000):
    rng = np.random.default_rng(4)
    x = rng.random((n, 3))
    return x, (rng.random(n) < 0.1 + 0.8 * (x[:, 0] > 0.4)).astype(int)


@pytest.mark.parametrize(
    "kind",
    [
        BestRuleClassifier, BoostedTreesClassifier, BoxClassifier, ScoreClassifier,
        StumpClassifier, TreeClassifier,
    ],
)  # fmt: skip
def test_every_classifier_of_a_table_orders_as_it_answers_and_pays_nothing(kind):
    x, y = table()
    ledger = Ledger.memory(epsilon=4, delta="1e-6")
    model = kind(domain=(0, 1), bins=8, epsilon=4, ledger=ledger, rng=seeded(5)).fit(x, y)
    entries = len(ledger.entries)
    found = model.ranking(x)
    assert ((found > 0) == (model.predict(x) == 1)).all()
    assert auc(y, found) > 0.6
    if kind is not BoostedTreesClassifier:  # one rule says no more than its answers
        assert (model.predict_balanced(x) == model.predict(x)).all()
    assert len(ledger.entries) == entries


def test_the_default_has_balanced_answers_where_it_adds_up_trees():
    """One record in eight is positive, those with many answers "a": no tree can count them."""
    rng = np.random.default_rng(7)
    x = rng.choice(np.array(["a", "b", "c"]), size=(20_000, 8))
    chance = 1 / (1 + np.exp(-3 * ((x == "a").sum(axis=1) - 4.6)))
    y = np.where(rng.random(len(x)) < chance, "yes", "no")
    ledger = Ledger.memory(epsilon=8)
    model = BestRuleClassifier(
        domain=[("a", "b", "c")] * 8, classes=("no", "yes"), epsilon=8, ledger=ledger, rng=seeded(1)
    ).fit(x, y)
    entries = len(ledger.entries)
    assert isinstance(model.rule_, BoostedRule)

    def rates(answers):
        return [float(np.mean(answers[y == value] == value)) for value in ("no", "yes")]

    assert np.mean(rates(model.predict_balanced(x))) > np.mean(rates(model.predict(x))) + 0.05
    assert min(rates(model.predict_balanced(x))) > 0.7
    assert len(ledger.entries) == entries


def test_more_than_two_labels_have_no_order():
    x, y = table(200)
    model = TreeClassifier(domain=(0, 1), bins=4, classes=(0, 1, 2), ledger=Ledger.memory())
    with pytest.raises(BadInput, match="records are ordered by two labels"):
        model.fit(x, y).ranking(x)
    with pytest.raises(BadInput, match="balanced answers are given by two labels"):
        model.predict_balanced(x)
    three = TreeRule(schema=SCHEMA, root=(Cut(0, 1, True), 0, 2), values=3)
    with pytest.raises(BadInput, match="two labels"):
        ranking_of(three, ROWS)
