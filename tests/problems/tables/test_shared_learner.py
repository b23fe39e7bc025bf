"""Tests of ``tacit.problems.tables.shared_learner``."""

from fractions import Fraction
from itertools import product
from math import exp

import numpy as np
import pytest
from scipy.stats import binomtest, norm
from tests.complete import complete
from tests.problems.tables.shared_cases import every, leaves, stated, sums

from tacit.checks.testing import exact_epsilon, neighbours, seeded
from tacit.core import ALGORITHMS, Accuracy, Privacy, Relation, Sample, Size, Task
from tacit.core.task import SEVERAL_SHARE
from tacit.exact.balls import at, ball
from tacit.mechanisms.calibration import marks_variance, shared_spread
from tacit.planner import plan
from tacit.problems.tables.shared_learner import (
    MEAN,
    SHARED_APART,
    SHARED_TREES,
    SQUARE,
    SharedTreeLearner,
    draw_epsilon,
    lost_to_draw,
)
from tacit.problems.tables.shared_trees import SharedTrees
from tacit.problems.tables.trees import Trees

ONE = complete([bool])
FAMILY = SharedTrees(ONE, depth=1)
RECORDS = [((cell,), labels) for cell in (0, 1) for labels in product((-1, 1), repeat=2)]


def learner(rho="1/2", relation=Relation.REPLACE_ONE, family=FAMILY, k=2):
    rho = Fraction(rho)
    return SharedTreeLearner(family=family, k=k, questions=rho, labels=rho, relation=relation)


def drawn(made, records):
    """The law of the questions, by its definition."""
    cells = np.array([row for row, _ in records], dtype=np.int32).reshape(-1, 1)
    marks = np.array([labels for _, labels in records]).reshape(-1, 2)
    return stated(Trees(ONE, depth=1), made.rate / 2, cells, marks)


@pytest.mark.exact
@pytest.mark.parametrize("relation", Relation)
def test_the_draw_has_the_range_that_its_share_pays_for(relation):
    """Over every pair of neighbours of three records; ``test_shared_weights`` ties the law."""
    made = learner(relation=relation)
    with at(200):
        worst = ball(0)
        pairs = list(neighbours(RECORDS, 3, relation))
        assert len(pairs) > 50
        for left, right in pairs:
            worst = worst.max(exact_epsilon(drawn(made, left), drawn(made, right)))
        assert ball(Fraction(1, 4)) < worst
        assert worst <= ball(draw_epsilon(made.questions)) + ball(Fraction(1, 1 << 150))


@pytest.mark.exact
@pytest.mark.parametrize("relation", Relation)
def test_no_smaller_spread_would_be_private(relation):
    """Most records say yes, those of one cell say no: one that turns helps one leaf, hurts two."""
    made = learner(relation=relation)
    many = [((0,), (1, 1))] * 20 + [((1,), (-1, -1))] * 6
    other = [*many, ((1,), (1, 1))]
    if relation is not Relation.ADD_REMOVE:
        other = [*many[:-1], ((1,), (1, 1))]
    with at(200):
        one, two = drawn(made, many), drawn(made, other)
        cut = (0, False, False)
        moved = abs((one[False] / one[cut] / (two[False] / two[cut])).log())
        assert abs(moved - ball(draw_epsilon(made.questions))) < ball(Fraction(1, 1 << 100))


@pytest.mark.exact
@pytest.mark.parametrize("relation", Relation)
def test_sums_of_marks_move_as_their_noise_assumes_and_no_less(relation):
    """All neighbours of three records, all questions; marks of 0 are among them."""
    records = [((cell,), labels) for cell in (0, 1) for labels in product((-1, 0, 1), repeat=2)]
    trees, worst, apart = Trees(ONE, depth=1), 0, 0
    for left, right in neighbours(records, 2, relation):
        for tree in every(trees, 1):
            found = [
                sums(
                    trees,
                    tree,
                    np.array([row for row, _ in side], dtype=np.int32).reshape(-1, 1),
                    np.array([labels for _, labels in side]).reshape(-1, 2),
                )
                for side in (left, right)
            ]
            worst = max(worst, int(((found[0] - found[1]) ** 2).sum()))
            change = np.abs(found[0]).sum() - np.abs(found[1]).sum()
            apart = max(apart, int(change))
    assert worst == 2 * marks_variance(rho=Fraction(1), labels=2, relation=relation)
    assert apart == shared_spread(relation, 2)


def chance_above(t, variance):
    """``P(t + Z > 0)`` for discrete Gaussian noise ``Z``."""
    masses = {z: exp(-(z * z) / (2 * variance)) for z in range(-400, 401)}
    return sum(mass for z, mass in masses.items() if t + z > 0) / sum(masses.values())


def chance_of(made, cells, marks, wanted):
    """The probability that both rules are these constants, whatever the questions are."""
    trees, total = Trees(ONE, depth=1), 0.0
    law = stated(trees, made.rate / 2, cells, marks)
    for tree in every(trees, 1):
        chance = float(law[tree].mid())
        for leaf in sums(trees, tree, cells, marks):
            for t, label in zip(leaf.tolist(), wanted, strict=True):
                above = chance_above(t, float(made.label_variance))
                chance *= above if label else 1 - above
        assert leaves(tree) in (1, 2)
        total += chance
    return total


@pytest.mark.statistical
def test_releases_have_the_stated_law_and_no_other():
    x = [(False,)] * 3 + [(True,)] * 3
    y = np.array([[1, 1], [1, 0], [1, 0], [1, 1], [0, 0], [0, 0]])
    cells, marks = ONE.coerce(x), np.where(y, 1, -1)
    runs, rng, made = 4000, seeded(5), learner("1/2")
    hits = 0
    for _ in range(runs):
        rules = made._release(Sample(x, y), rng=rng).rules
        hits += bool(rules.predict(x)[:, 0].all() and not rules.predict(x)[:, 1].any())
    masses = [chance_of(learner(rho), cells, marks, (True, False)) for rho in ("1/2", "1/8", "2")]
    assert binomtest(hits, runs, masses[0]).pvalue > 1e-6
    for wrong in masses[1:]:
        assert binomtest(hits, runs, wrong).pvalue < 1e-6


@pytest.mark.exact
def test_the_constants_of_the_proof_bound_the_normal_tail():
    """On a fine grid, the next point's power with this point's tail: no gap between points."""
    grid = np.arange(0, 40, 1e-4)
    tail = norm.sf(grid) * (1 + 1e-12)
    assert np.max((grid + 1e-4) * tail) < float(MEAN) < 1.01 * np.max(grid * tail)
    assert np.max((grid + 1e-4) ** 2 * tail) < float(SQUARE)


def task(family, *, k, alpha="0.2", beta="0.1", epsilon=2, **more):
    return Task(
        family,
        privacy=Privacy(epsilon, Fraction(1, 10**4)),
        accuracy=Accuracy(alpha, beta),
        setting="agnostic",
        k=k,
        **more,
    )


SCHEMA = complete([("a", "b", "c", "d"), bool])
EVERY = [(a, b) for a in "abcd" for b in (False, True)]


LAW = np.array([1 / 4, 1 / 4, *[1 / 12] * 6])


def shared_truth(k):
    """Labels of the four leaves of one tree, all different ones."""
    leaf = np.array([2 * (a == "a") + b for a, b in EVERY])
    return np.array([[(label >> place) & 1 for label in range(1, k + 1)] for place in leaf])


@pytest.mark.statistical
@pytest.mark.parametrize("entry", [SHARED_TREES, SHARED_APART], ids=lambda one: one.name)
def test_the_planned_number_of_records_suffices_and_a_tenth_does_not(entry):
    k = 14
    asked = task(SharedTrees(SCHEMA, depth=2), k=k, epsilon="1/4")
    bound, truth = entry.bound(asked), shared_truth(k)
    rng, draw = np.random.default_rng(3), seeded(3)

    def failures(n, runs):
        made = entry.build(asked, bound, Size(n))
        bad = 0
        for _ in range(runs):
            chosen = rng.choice(len(EVERY), n, p=LAW)
            sample = Sample([EVERY[i] for i in chosen], truth[chosen])
            wrong = made._release(sample, rng=draw).predict(EVERY) != truth
            bad += (LAW @ wrong).mean() > 0.2
        return bad

    assert failures(bound.n, 30) <= 3
    assert failures(bound.n // 10, 15) > 2


def test_the_planner_takes_whichever_needs_fewer_records():
    """By public numbers alone: two labels are drawn apart, thirty share their questions."""
    schema = complete([(0, 1)] * 6, bins=8)
    best = {k: plan(task(SharedTrees(schema, depth=2), k=k, epsilon=1)).runnable for k in (2, 30)}
    assert best[2].algorithm is SHARED_APART
    assert best[30].algorithm is SHARED_TREES
    for option in best.values():
        others = [SHARED_TREES, SHARED_APART]
        assert option.n == min(one.bound(option_task(schema, option)).n for one in others)


def option_task(schema, option):
    k = 2 if option.algorithm is SHARED_APART else 30
    return task(SharedTrees(schema, depth=2), k=k, epsilon=1)


def test_the_budget_is_split_where_least_is_lost_and_all_of_it_is_spent():
    asked = task(SharedTrees(SCHEMA, depth=2), k=30)
    bound = SHARED_TREES.bound(asked)
    made = SHARED_TREES.build(asked, bound, Size(100))
    whole = made.questions + made.labels + made.count
    assert made.event().rho == whole
    assert made.count == whole * SEVERAL_SHARE
    beta = asked.accuracy.beta / 2
    for moved in (Fraction(1, 16), -Fraction(1, 16)):
        part = moved * (made.questions + made.labels)
        other = SharedTreeLearner(
            family=made.family, k=30, questions=made.questions + part, labels=made.labels - part
        )
        assert lost_to_draw(other, beta) >= lost_to_draw(made, beta)
    assert SHARED_TREES.build(asked.with_(error_share=0), bound, Size(9)).variance is None


def test_what_cannot_be_done_is_refused_in_words():
    wide = complete([(0, 1)] * 40, bins=100)
    assert "use fewer bins" in SHARED_TREES.too_large(task(SharedTrees(wide, depth=2), k=30))
    wider = complete([(0, 1)] * 40, bins=200)
    assert "use fewer bins" in SHARED_APART.too_large(task(SharedTrees(wider, depth=2), k=30))
    assert SHARED_TREES.too_large(task(SharedTrees(wide, depth=1), k=30)) is None
    few = task(SharedTrees(SCHEMA, depth=1), k=3000, epsilon="0.01")
    assert "fewer labels, or a larger epsilon" in SHARED_TREES.too_large(few)
    assert "several tasks" in SHARED_TREES.why_not(task(SharedTrees(SCHEMA), k=1))
    assert ALGORITHMS["shared questions"] is SHARED_TREES
