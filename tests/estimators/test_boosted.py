"""Tests of ``tacit.estimators.boosted``."""

import json
from fractions import Fraction

import numpy as np
import pytest

from tacit import Ledger
from tacit.checks.testing import seeded
from tacit.core.hypothesis import hypothesis_from_dict
from tacit.estimators import BoostedTreesClassifier

pytestmark = pytest.mark.exact


def wave(n, seed=5):
    """A label that no single tree of two levels tells: three columns vote."""
    rng = np.random.default_rng(seed)
    x = rng.random((n, 4))
    y = (x[:, :3] > 0.5).sum(axis=1) + 0.4 * rng.standard_normal(n) > 1.5
    return x, y.astype(int)


@pytest.mark.parametrize("delta", ["1e-6", 0])
def test_a_sum_of_trees_learns_what_one_cannot(delta):
    x, y = wave(20_000)
    made = BoostedTreesClassifier(
        domain=[(0, 1)] * 4, bins=8, rounds=8, epsilon=2, delta=delta, rng=seeded("wave"),
        ledger=Ledger.memory(),
    ).fit(x, y)  # fmt: skip
    fresh, truth = wave(4000, seed=6)
    assert (made.predict(fresh) == truth).mean() > 0.84
    chance = made.predict_proba(fresh)
    assert np.allclose(chance.sum(axis=1), 1)
    assert ((chance[:, 1] > 0.5) == made.predict(fresh)).all()
    low, high = chance[truth == 0, 1].mean(), chance[truth == 1, 1].mean()
    assert high > low + 0.3
    assert "card 8:" in made.describe()
    back = hypothesis_from_dict(json.loads(json.dumps(made.rule_.to_dict())))
    assert back == made.rule_


def test_it_costs_what_the_budget_says():
    x, y = wave(2000)
    book = Ledger.memory(epsilon=1, delta=Fraction(1, 10**6))
    BoostedTreesClassifier(domain=[(0, 1)] * 4, epsilon=1, ledger=book, rng=seeded("cost")).fit(
        x, y
    )
    assert Fraction(9, 10) < book.spent.epsilon <= 1
    assert book.spent.delta <= Fraction(1, 10**6)


def test_the_kind_of_budget_that_leaves_more_rounds_is_spent():
    """One tree is cheaper purely, many by zCDP: one of both is spent, never more than asked."""
    events = []
    for n in (300, 20_000):
        x, y = wave(n)
        book = Ledger.memory(epsilon=1, delta=Fraction(1, 10**6))
        made = BoostedTreesClassifier(
            domain=[(0, 1)] * 4, bins=8, epsilon=1, error_share=0, ledger=book, rng=seeded("kind")
        ).fit(x, y)
        events.append((len(made.rule_.trees), book.spent.delta > 0))
    assert events[0] == (1, False)
    assert events[1][0] > 8
    assert events[1][1]


def test_balanced_answers_find_a_rare_label_and_cost_nothing():
    """One record in sixteen is positive: most answers are no, unless both labels count alike."""
    rng = np.random.default_rng(7)
    x = rng.random((20_000, 4))
    y = np.where(rng.random(len(x)) < 0.02 + 0.16 * (x[:, 0] > 0.75), "yes", "no")
    book = Ledger.memory(epsilon=4, delta=Fraction(1, 10**6))
    made = BoostedTreesClassifier(
        domain=[(0, 1)] * 4, bins=8, classes=("no", "yes"), epsilon=4, ledger=book, rng=seeded("b")
    ).fit(x, y)
    entries = len(book.entries)

    def rates(answers):
        return [float(np.mean(answers[y == value] == value)) for value in ("no", "yes")]

    assert np.mean(rates(made.predict(x))) < 0.55
    assert np.mean(rates(made.predict_balanced(x))) > 0.7
    assert min(rates(made.predict_balanced(x))) > 0.6
    assert len(book.entries) == entries
