"""Boosting by exact draws: sensitivities on every pair, the law of a round, and what it learns."""

import json
from fractions import Fraction

import numpy as np
import pytest
from tests.complete import complete

from tacit import Ledger, run
from tacit.checks.audit import law
from tacit.checks.testing import neighbours, seeded
from tacit.core import BadInput, Relation, Sample
from tacit.core.hypothesis import hypothesis_from_dict
from tacit.estimators import BoostedTreesClassifier
from tacit.mechanisms.calibration import SLOPES_RATIO, weighted_spread
from tacit.problems.marginals.budget import Budget
from tacit.problems.tables.boosted_learner import (
    STEPS,
    BoostedLearner,
    chances,
    fitting_rounds,
    slopes,
)
from tacit.problems.tables.boosted_rules import BoostedRule, BoostedTrees
from tacit.problems.tables.tree_weights import Rows, Weigher
from tacit.problems.tables.trees import Trees


def budget(amount=1, concentrated=False, relation=Relation.REPLACE_ONE):
    return Budget(amount=Fraction(amount), concentrated=concentrated, relation=relation)


def moves(relation, steps):
    """For every pair of neighbouring records what their sums and weights move by, as arrays.

    A record is ``(chance, label)``; same leaf and different leaves.
    """
    chance = np.arange(1, steps)
    gap = np.concatenate([steps - chance, -chance])
    slope = np.concatenate([slopes(chance, steps)] * 2)
    if relation is Relation.ADD_REMOVE:
        return gap[:, None], slope[:, None], None
    if relation is Relation.LABEL:
        half = len(chance)
        return (gap[:half] - gap[half:])[:, None], (slope[:half] - slope[half:])[:, None], None
    same = gap[:, None] - gap[None], slope[:, None] - slope[None]
    apart = (gap, slope)
    return (*same, apart)


@pytest.mark.parametrize("steps", [2, 3, 16, STEPS])
@pytest.mark.parametrize("relation", Relation)
def test_sums_move_no_more_than_stated(relation, steps):
    """Every pair of records on the whole grid, in the same leaf and in different ones."""
    gap, slope, apart = moves(relation, steps)
    most = 2 if relation is Relation.REPLACE_ONE else 1
    c = float(SLOPES_RATIO.get(relation, Fraction(1)))
    squares = (gap / steps) ** 2 + (c * slope / steps) ** 2
    if relation is Relation.LABEL:
        assert not slope.any()
        squares = (gap / steps) ** 2
    assert squares.max() <= most**2
    assert (abs(gap) + abs(slope)).max() <= most * steps
    if apart is not None:
        one = (apart[0] / steps) ** 2 + (c * apart[1] / steps) ** 2
        assert 2 * one.max() <= most**2
        assert 2 * (abs(apart[0]) + apart[1]).max() <= most * steps
    if steps == STEPS:
        assert squares.max() > 0.9 * most**2  # a smaller noise would not do


@pytest.mark.parametrize("relation", Relation)
def test_weighted_mistakes_move_within_the_stated_spread(relation):
    """All labellings of two cells; records with the chances that any round may give."""
    steps = 4
    chance = {0: 1, 1: 3}
    rules = [(a, b) for a in (0, 1) for b in (0, 1)]

    def errors(records):
        return np.array(
            [
                sum(
                    (steps - chance[cell] if label else chance[cell])
                    for cell, label in records
                    if rule[cell] != label
                )
                for rule in rules
            ]
        )

    widest = 0
    for left, right in neighbours([(c, y) for c in (0, 1) for y in (0, 1)], 2, relation):
        moved = errors(right) - errors(left)
        widest = max(widest, int(moved.max() - moved.min()))
    assert widest <= steps * weighted_spread(relation)
    assert widest > steps * (weighted_spread(relation) - 1)


def test_weighted_nodes_are_repeated_records():
    """A weight of three is the record three times, in counts and in the law."""
    schema = complete([range(3), range(2)])
    rng = np.random.default_rng(3)
    cells = np.column_stack([rng.integers(0, 3, 9), rng.integers(0, 2, 9)]).astype(np.int32)
    labels = rng.integers(0, 2, 9).astype(bool)
    weights = rng.integers(0, 4, 9)
    weigher = Weigher(Trees(schema, 2), Fraction(1, 7))
    rows = Rows(np.ascontiguousarray(cells.T), labels.astype(np.int64))
    once = weigher.weighted(rows, weights)
    repeated = weigher.root(np.repeat(cells, weights, axis=0), np.repeat(labels, weights))
    assert (once.zeros, once.ones) == (repeated.zeros, repeated.ones)
    assert np.array_equal(once.counts, repeated.counts)


def by_hand(made, ones, n):
    """The law of one round over one cell: geometric noise on both sums, then the last draw."""
    first, second = (float(scale) for scale in made.noise)
    reach = 40
    z = np.arange(-reach, reach + 1)
    p, q = (np.exp(-abs(z) / scale) for scale in (first, second))
    p, q = p / p.sum(), q / q.sum()
    steps, found = made.steps, {}
    half = steps // 2
    gap, slope = half * (2 * ones - n), n * (half * half // steps)
    for up, a in zip(z, p, strict=True):
        for over, b in zip(z, q, strict=True):
            points = made._points(int(gap + up), int(slope + over))
            wrong = [n - ones if points > 0 else ones, ones, n - ones]
            weight = np.exp(-float(made.last_rate) * np.array(wrong))
            rules = [(points, 1), (-1, 0), (1, 0)]
            for rule, share in zip(rules, weight / weight.sum(), strict=True):
                found[rule] = found.get(rule, 0.0) + a * b * share
    return found


@pytest.mark.parametrize("ones", [0, 1, 2])
def test_the_law_of_one_round_is_the_stated_one(ones):
    schema = complete([range(1)])
    made = BoostedLearner(
        family=BoostedTrees(schema, 1), rounds=1, budget=budget(32), spent=Fraction(32), steps=4
    )
    labels = np.array([1] * ones + [0] * (2 - ones))
    found = law(made, Sample(np.zeros((2, 1), dtype=object), labels), faint=Fraction(1, 1 << 26))
    masses = {}
    for key, mass in found.masses.items():
        rule = found.values.get(key, key)
        name = (rule.trees[0], 1) if rule.trees else (rule.start, 0)
        masses[name] = masses.get(name, 0.0) + float(mass)
    said = by_hand(made, ones, 2)
    assert len(masses) >= 4
    for rule, mass in masses.items():
        assert abs(mass - said[rule]) < 1e-4


def test_one_round_is_exactly_epsilon_private():
    """The law by hand on all neighbours of two records, and of a budget half as large."""
    schema, amount = complete([range(1)]), 6
    made = BoostedLearner(
        family=BoostedTrees(schema, 1),
        rounds=1,
        budget=budget(amount),
        spent=Fraction(amount),
        steps=2,
        values=Fraction(4, 5),
    )
    laws = [by_hand(made, ones, 2) for ones in range(3)]
    worst = 0.0
    for one, other in ((0, 1), (1, 2)):
        shared = laws[one].keys() & laws[other].keys()
        assert len(shared) >= 4
        loss = max(abs(np.log(laws[one][rule] / laws[other][rule])) for rule in shared)
        worst = max(worst, loss)
    assert amount / 5 < worst < amount


def test_draws_follow_the_law_and_no_other_noise():
    schema = complete([range(1)])
    made, louder = (
        BoostedLearner(
            family=BoostedTrees(schema, 1),
            rounds=1,
            budget=budget(amount),
            spent=Fraction(amount),
            steps=2,
        )
        for amount in (16, 4)
    )
    x, book, rng, draws = np.zeros((2, 1), dtype=object), Ledger.memory(), seeded("boosted"), 1000
    found = [
        run(made, Sample(x, np.ones(2, int)), ledger=book, rng=rng).value for _ in range(draws)
    ]
    share = sum(bool(rule.predict(x)[0]) for rule in found) / draws
    right, wrong = (
        sum(mass for (points, _), mass in by_hand(one, 2, 2).items() if points > 0)
        for one in (made, louder)
    )
    spread = 4 * (0.25 / draws) ** 0.5
    assert abs(share - right) < spread
    assert abs(share - wrong) > spread


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


def test_never_much_below_the_better_constant_label():
    """Theorem 2, on labels without any pattern."""
    rng = np.random.default_rng(2)
    x, y = rng.random((3000, 3)), rng.random(3000) < 0.3
    schema = complete([(0, 1)] * 3, bins=8)
    made = BoostedLearner(
        family=BoostedTrees(schema), rounds=3, budget=budget(Fraction(1, 2)), spent=Fraction(1, 2)
    )
    book, source, beta = Ledger.memory(), seeded("noise"), Fraction(1, 20)
    over = 0
    for _ in range(40):
        rule = run(made, Sample(x, y), ledger=book, rng=source).value
        wrong = int((rule.predict(x) != y).sum())
        over += wrong > min(y.sum(), (~y).sum()) + float(made.lost(beta))
    assert over <= 6


def test_public_numbers_say_when_it_pays():
    wide = BoostedTrees(complete([(0, 1)] * 13, bins=64))
    for relation in Relation:
        long, short = (
            fitting_rounds(wide, budget(Fraction(1, 40), True, relation), n) for n in (40_000, 600)
        )
        assert long >= 8
        assert short == 0
    assert fitting_rounds(wide, budget(1), None) == 0
    with pytest.raises(BadInput, match="rounds must be at most"):
        BoostedTrees(wide.schema, 65)
    with pytest.raises(BadInput, match="too small"):
        BoostedLearner(
            family=wide, rounds=64, budget=budget(Fraction(1, 1 << 60)), spent=Fraction(1)
        )


def test_chances_are_whole_numbers_between():
    score = np.arange(-900, 901)
    chance = chances(score, STEPS)
    assert chance.min() == 1
    assert chance.max() == STEPS - 1
    assert (np.diff(chance) >= 0).all()
    assert chance[900] == STEPS // 2


def test_a_constant_rule_is_told_as_one():
    schema = complete([range(2)])
    rule = BoostedRule(schema=schema, start=-1, trees=())
    assert rule.describe() == "always: 0"
    assert not rule.predict(np.array([[0], [1]], dtype=object)).any()
