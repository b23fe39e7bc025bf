"""Boosting by exact draws: sensitivities on every pair, the law of a round, and what it learns."""

from dataclasses import replace
from fractions import Fraction
from math import log

import numpy as np
import pytest
from tests.complete import complete
from tests.problems.tables.table_boosted_cases import budget, by_hand

from tacit import Ledger, run
from tacit.accounting import About
from tacit.checks.testing import neighbours, seeded
from tacit.core import BadInput, Relation, Sample
from tacit.estimators import BoostedTreesClassifier
from tacit.mechanisms.calibration import weighted_spread
from tacit.problems.finite.constant import ConstantRule
from tacit.problems.tables.boosted_learner import BoostedLearner, fitting_rounds
from tacit.problems.tables.boosted_rules import BoostedRule, BoostedTrees
from tacit.problems.tables.odds_steps import STEPS, chances, gaps_of, slopes
from tacit.problems.tables.tree_nodes import Cut
from tacit.problems.tables.tree_weights import Rows, Weigher
from tacit.problems.tables.trees import Trees
from tacit.report.release_file import digest_of, release_record, release_text
from tacit.report.verify import verify

pytestmark = pytest.mark.exact


@pytest.mark.parametrize("capped", [False, True])
@pytest.mark.parametrize("relation", Relation)
def test_weighted_mistakes_move_within_the_stated_spread(relation, capped):
    """All labellings of three cells; records with the chances that any round may give."""
    steps = 4
    chance = np.array([1, 2, 3])
    weight = [
        abs(gaps_of(np.full(3, label), chance, steps, capped=capped)) for label in (False, True)
    ]
    rules = [(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)]

    def errors(records):
        return np.array(
            [
                sum(int(weight[label][cell]) for cell, label in records if rule[cell] != label)
                for rule in rules
            ]
        )

    widest = 0
    for left, right in neighbours([(c, y) for c in (0, 1, 2) for y in (0, 1)], 2, relation):
        moved = errors(right) - errors(left)
        widest = max(widest, int(moved.max() - moved.min()))
    stated = steps * weighted_spread(relation, capped=capped)
    assert widest <= stated
    assert widest >= stated * Fraction(3, 4)  # chances are a fourth away from certainty


@pytest.mark.parametrize("steps", [2, 3, 5, STEPS])
@pytest.mark.parametrize("concentrated", [False, True])
@pytest.mark.parametrize("relation", Relation)
def test_a_round_on_neighbours_costs_no_more_than_its_share(relation, concentrated, steps):
    """The law of the first question, and both sums of a leaf, at the learner's rate and noise."""
    schema = complete([range(3)])
    made = BoostedLearner(
        family=BoostedTrees(schema, rounds=2),
        rounds=2,
        budget=budget(40, concentrated, relation),
        spent=Fraction(40),
        steps=steps,
    )
    weigher, rng = Weigher(made.family.trees, made.rate), np.random.default_rng(steps)
    grid = sorted({1, (steps + 1) // 2, steps // 2, steps - 1})
    paid, value = float(made.each.share(1 - made.values).bounded), made.each.share(made.values)
    first, second = map(float, made.sums.noise)
    widest = 0.0
    for _ in range(4):
        chance = rng.choice(grid, 3)
        for both in neighbours([(c, y) for c in (0, 1, 2) for y in (0, 1)], 1, relation):
            laws, sums = [], []
            for records in both:
                cell, label = np.array(records, dtype=np.int64).reshape(-1, 2).T
                own = chance[cell]
                gaps = gaps_of(label > 0, own, steps, capped=made.capped)
                rows = Rows(np.ascontiguousarray(cell.astype(np.int32)[None, :]), label)
                node = weigher.weighted(rows, np.abs(gaps))
                mass = np.array([float(one.mid()) for one in weigher.balls(node, 2)])
                laws.append(np.log(mass / mass.sum()))
                sums.append([np.bincount(cell, of, 3) for of in (gaps, slopes(own, steps))])
            moved = laws[0] - laws[1]
            widest = max(widest, moved.max() - moved.min())
            gap, slope = (one - other for one, other in zip(*sums, strict=True))
            if relation is Relation.LABEL:
                assert not slope.any()
            if concentrated:
                lost = (gap**2).sum() / (2 * first) + (slope**2).sum() / (2 * second)
            else:
                lost = abs(gap).sum() / first + abs(slope).sum() / second
            assert lost <= float(value.amount) * (1 + 1e-9)
    assert paid / 2 < widest <= paid * (1 + 1e-9)


def test_weighted_nodes_are_repeated_records():
    """A weight of three is the record three times, in counts and in the law."""
    schema = complete([range(3), range(2)])
    rng = np.random.default_rng(3)
    cells = np.column_stack([rng.integers(0, 3, 9), rng.integers(0, 2, 9)]).astype(np.int32)
    labels = rng.integers(0, 2, 9).astype(bool)
    weights = rng.integers(0, 4, 9)
    weigher = Weigher(Trees(schema, depth=2), Fraction(1, 7))
    rows = Rows(np.ascontiguousarray(cells.T), labels.astype(np.int64))
    once = weigher.weighted(rows, weights)
    repeated = weigher.root(np.repeat(cells, weights, axis=0), np.repeat(labels, weights))
    assert (once.zeros, once.ones) == (repeated.zeros, repeated.ones)
    assert np.array_equal(once.counts, repeated.counts)


def test_one_round_is_exactly_epsilon_private():
    """The law by hand on all neighbours of two records, and of a budget half as large."""
    schema, amount = complete([range(1)]), 6
    made = BoostedLearner(
        family=BoostedTrees(schema, rounds=1),
        rounds=1,
        budget=budget(amount),
        spent=Fraction(amount),
        steps=2,
        values=Fraction(4, 5),
        sizes=Fraction(1, 3),
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
            family=BoostedTrees(schema, rounds=1),
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
        sum(
            mass
            for (start, points, least), mass in by_hand(one, 2, 2).items()
            if start + points > least
        )
        for one in (made, louder)
    )
    spread = 4 * (0.25 / draws) ** 0.5
    assert abs(share - right) < spread
    assert abs(share - wrong) > spread


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
        assert short <= 1
        # The theorem itself: privacy costs no more than sampling, and one round more would.
        nats = -log(wide.trees.least_prior())
        for many, fits in ((long, True), (long + 1, False)):
            made = BoostedLearner(
                family=wide,
                rounds=many,
                budget=budget(Fraction(1, 40), True, relation),
                spent=Fraction(1),
            )
            rate = float(made.rate * made.steps)
            most = 0.5 if made.capped else 1.0
            assert (nats / rate <= most * (40_000 * nats / 2) ** 0.5) is fits or long == 32
    assert fitting_rounds(wide, budget(1), None) == 0
    with pytest.raises(BadInput, match="rounds must be at most"):
        BoostedTrees(wide.schema, rounds=65)
    with pytest.raises(BadInput, match="too small"):
        BoostedLearner(
            family=wide, rounds=64, budget=budget(Fraction(1, 1 << 60)), spent=Fraction(1)
        )


def test_the_start_lets_both_labels_weigh_alike():
    """Theorem 4: the first round's weighted mistakes are balanced error, for every labelling."""
    rng = np.random.default_rng(4)
    cells, labels = rng.integers(0, 6, 400), rng.random(400) < 0.1
    ones = int(labels.sum())
    made = BoostedLearner(
        family=BoostedTrees(complete([range(6)])), rounds=1, budget=budget(100), spent=Fraction(100)
    )
    start = made._start(np.array([400 - ones, ones]))
    chance = chances(np.array([start]), STEPS)[0]
    weights = abs(gaps_of(labels, np.full(400, chance), STEPS, capped=made.capped))
    for rule in range(1 << 6):
        says = (rule >> cells) & 1 == 1
        wrong = says != labels
        balanced = (wrong[labels].mean() + wrong[~labels].mean()) / 2
        stated = min(400 - ones, ones) * balanced
        # A chance is rounded to 1/256 and the start to a point: at most 1/100 for each record.
        assert abs((weights * wrong).sum() / STEPS - stated) <= 4
    # Noise that rules leaves both labels as they are, and one label alone stays in reach.
    assert abs(replace(made, budget=budget(Fraction(1, 50)))._start(np.array([360, 40]))) <= 4
    assert [made._start(np.array(pair)) for pair in ((10**9, -5), (-5, 10**9))] == [-100, 100]


def test_records_of_a_rare_label_are_ranked():
    """Three of a hundred, that no answer for most of the records tells apart."""
    rng = np.random.default_rng(6)
    x = rng.random((6000, 3))
    y = rng.random(6000) < 0.06 * (x[:, 0] > 0.5)
    made = BoostedLearner(
        family=BoostedTrees(complete([(0, 1)] * 3, bins=8)),
        rounds=2,
        budget=budget(4),
        spent=Fraction(4),
    )
    rule = run(made, Sample(x, y), ledger=Ledger.memory(), rng=seeded("rare")).value
    points = rule.score(x)
    assert points[x[:, 0] > 0.5].mean() > points[x[:, 0] < 0.5].mean() + 5
    assert rule.always is False or (rule.predict(x) != y).mean() < 0.1


@pytest.mark.parametrize("relation", Relation)
def test_a_rule_that_it_cannot_release_has_no_prior(relation):
    schema = complete([range(3), range(2)])
    made = BoostedLearner(
        family=BoostedTrees(schema, rounds=2),
        rounds=2,
        budget=budget(8, relation=relation),
        spent=Fraction(8),
    )
    cut, other = Cut(0, 1, ordered=True), Cut(1, 0, ordered=True)
    own = BoostedRule(schema=schema, start=3, trees=((cut, -9, 30), (other, 4, -30)))
    assert made.prior(own) == made.least_prior
    for label in (False, True):
        assert made.prior(own.saying(label=label)) == Fraction(1, 4)
    deep = (cut, -9, (other, 1, (cut, 2, 30)))
    for change in (
        {"trees": own.trees * 2},
        {"trees": own.trees[:1]},
        {"trees": (own.trees[0], deep)},
        {"trees": (own.trees[0], (other, 4, -31))},
        {"trees": (own.trees[0], (Cut(0, 0, ordered=False), 4, -9))},
        {"threshold": 1},
    ):
        assert made.prior(replace(own, **change)) == 0
    wide = replace(made, family=BoostedTrees(schema, rounds=4), rounds=4)
    far = replace(own, start=101, trees=((cut, -30, 30),) * 4)
    assert wide.prior(far) == 0 < wide.prior(replace(far, start=100))
    assert made.prior(ConstantRule(value=True)) == 0
    # A flipped label has no cap; other relations had none in earlier versions.
    capped = replace(own, capped=True)
    assert made.prior(capped) == (made.least_prior if relation is not Relation.LABEL else 0)


@pytest.mark.parametrize("relation", ["replace-one", "label"])
def test_a_release_of_more_trees_or_of_a_cap_nobody_had_does_not_verify(relation, tmp_path):
    rng = np.random.default_rng(1)
    x = rng.random((3000, 2))
    model = BoostedTreesClassifier(
        domain=(0, 1),
        bins=8,
        epsilon=4,
        rounds=2,
        relation=relation,
        ledger=Ledger.memory(epsilon=4, delta="1e-6", relation=relation),
    )
    release = model.fit(x, (x[:, 0] > 0.7).astype(int)).release_
    told = release_record(release, about=About(), counted=True)

    def verifies(name, **other):
        record = told | {"rule": told["rule"] | other, "digests": dict(told["digests"])}
        record["digests"]["release"] = digest_of(record)
        path = tmp_path / f"{name}.json"
        path.write_text(release_text(record))
        return bool(verify(path))

    assert release.value.rule.always is None
    assert verifies("own")
    assert not verifies("more", trees=told["rule"]["trees"] * 3)
    assert not verifies("other", threshold=1)
    if relation == "label":
        assert "capped" not in told["rule"]
        assert not verifies("capped", capped=True)
    else:
        assert told["rule"].pop("capped") is True
        assert verifies("as of an earlier version")  # whose points stand for their own odds
        assert not verifies("uncapped", capped=False)
