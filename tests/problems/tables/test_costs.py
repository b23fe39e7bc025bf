"""Mistakes of different costs: exact laws, exact sensitivities, certificates, words."""

from fractions import Fraction

import numpy as np
import pytest
from sklearn.datasets import load_digits
from tests.complete import complete
from tests.problems.tables.table_costs_cases import COSTS, RECORDS, SCHEMA, rare, sample, task

from tacit import Ledger, Privacy, learn, plan, run
from tacit.checks.testing import seeded
from tacit.core import BadInput, Sample
from tacit.estimators import (
    BestRuleClassifier,
    MultiTaskClassifier,
    TreeClassifier,
)
from tacit.problems.tables.clauses import Formulas
from tacit.problems.tables.cost_rules import COSTS as COST_RULES
from tacit.problems.tables.costs import CostLearner, balanced_costs
from tacit.problems.tables.deep_tree_learner import DeepTreeLearner
from tacit.problems.tables.deep_trees import DeepTrees
from tacit.problems.tables.kinds import KindsLearner
from tacit.problems.tables.products import Boxes, Conjunctions, Intervals
from tacit.problems.tables.scores import Scores
from tacit.problems.tables.short_lists import FewCuts, Totals
from tacit.problems.tables.tree_learner import TreeLearner
from tacit.problems.tables.tree_weights import Weigher
from tacit.problems.tables.trees import Trees

pytestmark = pytest.mark.exact


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_costs_are_as_if_records_were_there_so_many_times(depth):
    schema = complete([(0, 1), (0, 1), ["a", "b", "c"]], bins=3)
    rng = np.random.default_rng(depth)
    cells = np.stack([rng.integers(0, size, 40) for size in schema.cells], axis=1).astype(np.int32)
    labels = rng.random(40) < 0.3
    trees = DeepTrees(schema) if depth == 4 else Trees(schema, depth=depth)
    repeats = np.where(labels, 5, 2)
    one = Weigher(trees, Fraction(1, 7), (2, 5))
    other = Weigher(trees, Fraction(1, 7))
    many = other.root(np.repeat(cells, repeats, axis=0), np.repeat(labels, repeats))
    left = one.choices(one.root(cells, labels), depth)
    right = other.choices(many, depth)
    assert np.array_equal(left[0], right[0])
    assert np.allclose(left[1], right[1], rtol=1e-12)


LISTS = [family for family in COST_RULES.applies.classes if hasattr(family, "landscape")]


def test_every_list_that_is_drawn_by_costs_is_tried():
    assert set(LISTS) == {FewCuts, Totals, Scores, Intervals, Boxes, Conjunctions, Formulas}


@pytest.mark.parametrize("kind", LISTS)
def test_lists_count_costs_as_repeated_records(kind):
    schema = complete([(0, 1), (0, 1), (0, 1)], bins=4)
    rng = np.random.default_rng(7)
    cells = rng.integers(0, 4, (30, 3)).astype(np.int32)
    labels = rng.random(30) < 0.4
    repeats = np.where(labels, 3, 1)
    left = kind(schema).landscape(cells, labels, (1, 3)).levels()
    right = (
        kind(schema)
        .landscape(np.repeat(cells, repeats, axis=0), np.repeat(labels, repeats))
        .levels()
    )
    assert np.array_equal(left.errors, right.errors)
    assert np.array_equal(left.counts, right.counts)
    rules = kind(schema).landscape(cells, labels, (1, 3))
    for place in {0, len(left.errors) // 2, len(left.errors) - 1}:
        error, last = int(left.errors[place]), int(left.counts[place]) - 1
        member = kind(schema).hypothesis(rules.member(error, last))
        wrong = member.predict(cells / 4 + 0.1) != labels
        assert int(np.where(labels, 3, 1)[wrong].sum()) == error


def test_balanced_costs_are_inverse_to_noisy_numbers():
    assert balanced_costs((94, 6)) == (3, 50)
    assert balanced_costs((50, 50)) == (1, 1)
    assert balanced_costs((10**6, 1)) == (1, 100)
    assert balanced_costs((-5, 7)) == (50, 7)
    pairs = {balanced_costs((a, b)) for a in range(1, 300) for b in range(1, 300)}
    assert len(pairs) <= 199


def test_bounds_hold_as_often_as_stated():
    """Coverage of cost, error and balanced error, each with its true value known."""
    bad = {"cost": 0, "error": 0, "balanced": 0}
    asked = task("balanced")
    runs = 120
    for seed in range(runs):
        x, y = rare(600, seed=seed)
        release = learn(asked, (x, y), ledger=Ledger.memory(), rng=seeded(f"{seed}"), negative=0)
        found = release.certificate.measured
        grid = np.stack(np.meshgrid(np.arange(0.005, 1, 0.01), np.arange(0.005, 1, 0.01)), -1)
        points = grid.reshape(-1, 2)
        chance = np.where(points[:, 0] > 0.8, 0.3, 0.01)
        said = release.value.predict(points)
        missed, false = (chance * ~said).mean(), ((1 - chance) * said).mean()
        base = chance.mean()
        zero, one = found.labels
        bad["cost"] += zero.cost * false + one.cost * missed > float(found.cost)
        bad["error"] += missed + false > float(found.error)
        bad["balanced"] += (missed / base + false / (1 - base)) / 2 > float(found.balanced)
    assert max(bad.values()) <= 6 + 3 * 2.4  # 5 % of the runs, and three deviations


def test_the_mechanism_without_a_count_says_nothing_measured():
    x, y = rare(500)
    release = learn(
        task({"1": 3}, error_share=0), (x, y), ledger=Ledger.memory(), rng=seeded("none")
    )
    assert release.certificate.measured is None
    assert set(release.value.predict(x).tolist()) <= {True, False}


def test_plans_with_costs_speak_of_the_greatest_cost():
    plain, costed = (plan(task(costs, error_share=0)).best for costs in (None, {"1": 20, "0": 1}))
    assert costed.algorithm.name == "costs"
    assert costed.bound.n >= plain.bound.n
    assert plan(task("balanced")).best.bound.n > costed.bound.n
    label = task({"1": 20, "0": 1}, privacy=Privacy(1, relation="label"), error_share=0)
    assert plan(label).best.bound.n <= costed.bound.n


def test_a_plan_says_what_the_rarer_label_needs():
    """Theorem 4: so many that a single question's bound on the balanced error falls below 1/2."""
    asked = task("balanced", error_share=0)
    best = plan(asked).best
    fewest = best.bound.choices["rarer"]
    rate, prior = 4 / 5 / 2, Trees(asked.concept_class.domain, depth=2).least_prior(1)
    lost = -np.log(float(prior) * 0.05) / rate
    assert fewest - 1 < lost <= fewest
    assert f"fewer than {fewest} of them no rule" in plan(asked).explain()
    assert "rarer" not in plan(task({"1": 20})).best.bound.choices


def test_what_cannot_be_costs_is_refused():
    for costs in ({}, {"1": -1}, {"1": 101}, {"1": 0}, "even", {"1": 1.5}):
        with pytest.raises(BadInput):
            task(costs)
    x, y = rare(50)
    with pytest.raises(BadInput, match="costs name the label 'maybe'"):
        learn(task({"maybe": 3}), (x, y), ledger=Ledger.memory(), rng=seeded("x"))


def test_deep_trees_and_kinds_take_costs():
    schema = complete([(0, 1), (0, 1)], bins=4)
    x, y = rare(300)
    made = [
        DeepTreeLearner(schema=schema, epsilon=Fraction(2), costs=COSTS),
        KindsLearner(
            schema=schema,
            trees=(Trees(schema, depth=0), Trees(schema, depth=2)),
            lists=(FewCuts(schema), Scores(schema)),
            shares=(Fraction(1, 4),) * 4,
            epsilon=Fraction(2),
            costs=COSTS,
        ),
    ]
    for one in made:
        assert one.rate == Fraction(2, 10)
        rule = run(one, Sample(x, y), ledger=Ledger.memory(), rng=seeded("deep")).value
        assert len(rule.predict(x)) == 300


def test_sizes_of_labels_are_noisy_and_exactly_calibrated():
    """The released number of positive records has the geometric law of its own epsilon."""
    made = CostLearner(
        learner=TreeLearner(trees=Trees(SCHEMA, depth=0), epsilon=Fraction(1)),
        costs=None,
        sizes_epsilon=Fraction(1, 2),
        epsilon=Fraction(1),
        n=4,
    )
    data = sample([RECORDS[1]] * 3 + [RECORDS[0]])
    rng, book, draws = seeded("sizes"), Ledger.memory(), 1500
    found = [run(made, data, ledger=book, rng=rng).value.sizes for _ in range(draws)]
    assert all(zeros + ones == 4 for zeros, ones in found)
    share = sum(ones == 3 for _, ones in found) / draws
    tail = np.exp(-0.5)
    right, wrong = (1 - tail) / (1 + tail), (1 - tail**2) / (1 + tail**2)
    assert abs(share - right) < 4 * (right * (1 - right) / draws) ** 0.5
    assert abs(share - wrong) > 8 * (wrong * (1 - wrong) / draws) ** 0.5


def test_certificates_state_costs_of_released_numbers_only():
    """A cost that does not follow from the stated numbers is not taken over."""
    x, y = rare(800)
    release = learn(
        task("balanced"), (x, y), ledger=Ledger.memory(), rng=seeded("again"), negative=0
    )
    labels = release.certificate.measured.labels
    sizes = tuple(one.size for one in labels)
    assert tuple(one.cost for one in labels) == balanced_costs(sizes)


def several(n, **more):
    rng = np.random.default_rng(3)
    x = rng.random((n, 2))
    y = np.stack([x[:, 0] > 0.9, x[:, 1] < 0.1], axis=1) & (rng.random((n, 2)) < 0.3)
    asked = {"domain": [(0, 1)] * 2, "epsilon": 2, "delta": 1e-6, "ledger": Ledger.memory()}
    base = TreeClassifier(**(asked | more), rng=seeded("several"))
    return x, y.astype(int), MultiTaskClassifier(base)


@pytest.mark.parametrize("costs", [{"1": 30}, "balanced"])
def test_several_rare_labels_are_found(costs):
    x, y, model = several(12000, costs=costs)
    _, _, plain = several(12000)
    plain.fit(x, y)
    said = model.fit(x, y).predict(x)
    for column in range(2):
        assert said[y[:, column] == 1, column].mean() > 0.9
        assert plain.predict(x)[:, column].mean() == 0
    spent = model.certificate_.spent
    assert spent.epsilon <= 2
    assert spent.delta <= Fraction("1e-6")
    assert len(model.certificate_.several.labels) == 2


def test_several_labels_are_balanced_only_where_noise_lets_them():
    x, y, model = several(500, costs="balanced")
    with pytest.raises(BadInput, match=r"^500 records .* are too few to balance 2 labels"):
        model.fit(x, y)
    assert not model.estimator.ledger.entries
    x, y, model = several(9000, costs="balanced", relation="add-remove")
    with pytest.raises(BadInput, match="need a public number of records, which add-remove keeps"):
        model.fit(x, y)
    assert not model.estimator.ledger.entries


def test_digits_are_told_apart_at_one_label_each():
    """Ten labels of one tenth each at epsilon 1: with costs every digit has a rule."""
    x, y = load_digits(return_X_y=True)
    labels = (y[:, None] == np.arange(10)).astype(int)
    order = np.random.default_rng(0).permutation(len(y))
    held, used = np.split(order, [len(y) // 4])
    base = BestRuleClassifier(
        domain=[(0, 16)] * 64,
        bins=8,
        epsilon=1,
        delta=1e-6,
        costs={"1": 9},
        ledger=Ledger.memory(),
        rng=seeded("digits"),
    )
    said = MultiTaskClassifier(base).fit(x[used], labels[used]).predict(x[held])
    truth = labels[held]
    recalls = [
        (said[truth[:, one] == 1, one].mean() + 1 - said[truth[:, one] == 0, one].mean()) / 2
        for one in range(10)
    ]
    assert np.mean(recalls) > 0.65
