"""Tests of ``tacit.problems.tables.valued_learner``."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binomtest
from tests.complete import complete
from tests.problems.tables.valued_cases import stated

from tacit.checks.testing import exact_epsilon, neighbours, seeded
from tacit.core import ALGORITHMS, Accuracy, Privacy, Relation, Sample, Task
from tacit.core.label_values import LabelValues
from tacit.exact.balls import at, ball
from tacit.mechanisms.calibration import cost_spread, spread
from tacit.planner import plan
from tacit.problems.reals.halfspaces import Halfspaces
from tacit.problems.tables.fitting_trees import FittingTrees
from tacit.problems.tables.products import Boxes
from tacit.problems.tables.trees import RuleLists, Trees
from tacit.problems.tables.valued_learner import ValueTreeLearner
from tacit.problems.tables.valued_trees import ValuedLists, ValuedTrees

ONE = complete([bool])
RECORDS = [((cell,), label) for cell in (False, True) for label in (0, 1, 2)]


def law(learner, records):
    x = [row for row, _ in records] or np.empty((0, 1), dtype=object)
    y, costs = [label for _, label in records], learner.costs or (1, 1, 1)
    return stated(learner.trees, learner.rate, x, y, costs)


@pytest.mark.exact
@pytest.mark.parametrize("kind", [ValuedTrees, ValuedLists])
@pytest.mark.parametrize("relation", Relation)
def test_privacy_is_exactly_epsilon_at_most(kind, relation):
    """Over every pair of neighbours of three records; ``test_valued_weights`` ties the law."""
    learner = ValueTreeLearner(trees=kind(ONE, depth=1), epsilon=Fraction(1), relation=relation)
    careless = ValueTreeLearner(
        trees=kind(ONE, depth=1), epsilon=Fraction(11, 10) * 2, relation=Relation.REPLACE_ONE
    )
    with at(200):
        worst = broken = ball(0)
        pairs = list(neighbours(RECORDS, 3, relation))
        assert len(pairs) > 50
        for left, right in pairs:
            worst = worst.max(exact_epsilon(law(learner, left), law(learner, right)))
            broken = broken.max(exact_epsilon(law(careless, left), law(careless, right)))
        assert ball(Fraction(2, 5)) < worst < 1 + ball(Fraction(1, 1 << 150))
        assert broken > worst


@pytest.mark.exact
@pytest.mark.parametrize("kind", [ValuedTrees, ValuedLists])
@pytest.mark.parametrize("relation", Relation)
def test_privacy_with_costs_is_exactly_epsilon_at_most(kind, relation):
    """Over all neighbours of two records; at the rate for plain mistakes it would break."""
    costs, epsilon = (1, 5, 3), Fraction(1)
    made = ValueTreeLearner(
        trees=kind(ONE, depth=1), epsilon=epsilon, relation=relation, costs=costs
    )
    moved = cost_spread(relation, costs)
    assert moved == {"replace-one": 10, "label": 8, "add-remove": 5}[relation.value]
    assert made.rate == Fraction(1, moved)
    careless = replace(made, epsilon=Fraction(moved, spread(relation)))
    with at(200):
        worst = broken = ball(0)
        pairs = list(neighbours(RECORDS, 2, relation))
        assert len(pairs) > 20
        for left, right in pairs:
            worst = worst.max(exact_epsilon(law(made, left), law(made, right)))
            broken = broken.max(exact_epsilon(law(careless, left), law(careless, right)))
        assert ball(Fraction(2, 5)) < worst < 1 + ball(Fraction(1, 1 << 150))
        assert broken > ball(Fraction(11, 10))


@pytest.mark.exact
def test_no_smaller_spread_would_be_private():
    """Many records of one label: a replaced one moves two constant trees in opposite ways."""
    trees = ValuedTrees(ONE, depth=0)
    learner = ValueTreeLearner(trees=trees, epsilon=Fraction(1))
    half = [((True,), 1)] * 20 + [((True,), 2)] * 20
    with at(200):
        one, other = law(learner, half), law(learner, [*half[1:], ((True,), 2)])
        moved = (one[1] / one[2] / (other[1] / other[2])).log()
        assert abs(moved - 1) < ball(Fraction(1, 1 << 100))


@pytest.mark.statistical
@pytest.mark.parametrize("epsilon", [Fraction(1), Fraction(2)])
def test_the_draw_has_the_stated_law_and_no_other(epsilon):
    trees = ValuedTrees(ONE, depth=1)
    x = [(False,)] * 3 + [(True,)] * 3
    y = np.array([0, 0, 2, 1, 1, 2])
    runs, wanted = 6000, (0, 0, 1)
    learner = ValueTreeLearner(trees=trees, epsilon=epsilon)
    rng = seeded(7)
    rule = trees.hypothesis(wanted)
    hits = sum(learner._release(Sample(x, y), rng=rng) == rule for _ in range(runs))
    masses = {
        rate: float(stated(trees, rate, x, y)[wanted].mid())
        for rate in (epsilon / 2, epsilon, epsilon / 4)
    }
    assert binomtest(hits, runs, masses[epsilon / 2]).pvalue > 1e-6
    for wrong in (epsilon, epsilon / 4):
        assert binomtest(hits, runs, masses[wrong]).pvalue < 1e-6


def task(schema, *, depth=1, values=3, alpha="0.2", beta="0.1", epsilon="1", **more):
    return Task(
        Trees(schema, depth=depth),
        privacy=Privacy(epsilon),
        accuracy=Accuracy(alpha, beta),
        values=values,
        error_share=0,
        **more,
    )


@pytest.mark.statistical
def test_the_planned_number_of_records_suffices_and_a_tenth_does_not():
    schema = complete([("a", "b", "c", "d"), bool])
    asked = task(schema, depth=2)
    planned = plan(asked)
    n = planned.best.bound.n
    assert planned.best.algorithm.name == "several label values"
    rng, draw = np.random.default_rng(3), seeded(3)

    def failures(n, runs):
        mechanism = planned.best.algorithm.built(asked.drawn, n)
        bad = 0
        for _ in range(runs):
            x = [("abcd"[rng.integers(4)], bool(rng.integers(2))) for _ in range(n)]
            y = np.array([0 if a == "a" else 1 if b else 2 for a, b in x])
            rule = mechanism._release(Sample(x, y), rng=draw)
            every = [(a, b) for a in "abcd" for b in (False, True)]
            truth = np.array([0 if a == "a" else 1 if b else 2 for a, b in every])
            bad += (rule.predict(every) != truth).mean() > 0.2
        return bad

    assert failures(n, 60) <= 60 * 0.1
    assert failures(n // 10, 30) > 30 * 0.1


def test_more_label_values_need_more_records():
    schema = complete([(0, 1), bool], bins=4)
    needed = [plan(task(schema, values=values)).best.bound.n for values in (2, 3, 10)]
    assert needed == sorted(set(needed))
    agnostic = [
        plan(task(schema, values=values, setting="agnostic")).best.bound.n for values in (2, 3, 10)
    ]
    assert agnostic == sorted(set(agnostic))


def test_what_learns_two_labels_refuses_more_before_anything_is_charged():
    schema = complete([(0, 1), bool], bins=2)
    entry = ALGORITHMS["several label values"]
    assert "more than two label values" in entry.why_not(task(schema, values=2))
    for concepts in (Boxes(schema), Halfspaces(columns=2)):
        asked = task(schema).with_(concept_class=concepts)
        reasons = [one.why_not(asked) for one in ALGORITHMS]
        assert all(reasons)
        assert "learns two label values" in reasons
    with_costs = task(schema).with_(names=("a", "b", "c"), costs={"a": 3})
    assert [one.name for one in ALGORITHMS if one.why_not(with_costs) is None] == ["costs"]


@pytest.mark.parametrize("lists", [False, True])
def test_the_depth_may_follow_from_the_records(lists):
    asked = task(ONE).with_(concept_class=FittingTrees(ONE, lists=lists), setting="agnostic")
    entry = ALGORITHMS["several label values"]
    few, many = entry.built(asked, 10), entry.built(asked, 10**6)
    assert (few.trees.depth, many.trees.depth) == (2, 3)
    assert few.trees.values == many.trees.values == 3
    assert few.trees.chain is lists
    assert entry.bound(asked).n >= entry.bound(asked.with_(concept_class=Trees(ONE, depth=1))).n


def test_labels_have_the_numbers_of_their_public_values():
    learner = ValueTreeLearner(trees=ValuedTrees(ONE, depth=0), epsilon=Fraction(50))
    x = [(True,)] * 40
    for said, wanted in (("red", 0), ("green", 1), ("blue", 2), ("mauve", 0), (None, 0)):
        values = LabelValues(("red", "green", "blue"))
        sample = Sample(x, np.array([said] * 40, dtype=object), values=values)
        assert learner._release(sample, rng=seeded(1)).root == wanted
    other = LabelValues(("red", "green"), otherwise=2)
    sample = Sample(x, np.array(["mauve"] * 20 + [None] * 20, dtype=object), values=other)
    assert learner._release(sample, rng=seeded(1)).root == 2


def test_too_many_cells_are_refused_in_words():
    wide = complete([(0, 1)] * 40, bins=100)
    entry = ALGORITHMS["several label values"]
    assert "use fewer bins, or depth=1" in entry.too_large(task(wide, depth=2, values=10))
    assert entry.too_large(task(wide, depth=1, values=10)) is None
    assert entry.too_large(task(wide, depth=2, values=3)) is None
    lists = task(wide).with_(concept_class=RuleLists(wide, depth=2), values=10)
    assert entry.too_large(lists) is not None
