"""Tests of ``tacit.problems.tables.set_tree_learner``."""

from fractions import Fraction
from math import log

import numpy as np
import pytest
from scipy.stats import binomtest
from tests.complete import complete
from tests.problems.tables.set_cases import stated
from tests.tools.long import long_ones

from tacit.checks.testing import exact_epsilon, neighbours, seeded
from tacit.core import ALGORITHMS, Accuracy, Privacy, Relation, Sample, Task
from tacit.core.tally import Streamed
from tacit.domains.schema import Schema
from tacit.exact.balls import at, ball
from tacit.planner import plan
from tacit.problems.tables.set_tree_learner import SetTreeLearner
from tacit.problems.tables.set_trees import SetTrees
from tacit.tallies.few_cells import few_cells
from tacit.tallies.placed import placed

FOUR = complete([("a", "b", "c", "d")])
RECORDS = [((cell,), label) for cell in "abd" for label in (0, 1)]


def law(learner, records):
    x = [row for row, _ in records] or np.empty((0, 1), dtype=object)
    return stated(learner.trees, learner.rate, x, [label for _, label in records])


@pytest.mark.exact
@pytest.mark.parametrize("relation", Relation)
def test_privacy_is_exactly_epsilon_at_most(relation):
    """Over every pair of neighbours of two records; ``test_set_weights`` ties the law."""
    trees = SetTrees(FOUR, depth=1)
    learner = SetTreeLearner(trees=trees, epsilon=Fraction(1), relation=relation)
    careless = SetTreeLearner(
        trees=trees, epsilon=Fraction(11, 10) * 2, relation=Relation.REPLACE_ONE
    )
    with at(200):
        worst = broken = ball(0)
        pairs = list(neighbours(RECORDS, 2, relation))
        assert len(pairs) > 20
        for left, right in pairs:
            worst = worst.max(exact_epsilon(law(learner, left), law(learner, right)))
            broken = broken.max(exact_epsilon(law(careless, left), law(careless, right)))
        assert ball(Fraction(2, 5)) < worst < 1 + ball(Fraction(1, 1 << 150))
        assert broken > worst


@pytest.mark.statistical
@pytest.mark.parametrize("values", long_ones([2, 3], 3))
@pytest.mark.parametrize("epsilon", [Fraction(1), Fraction(2)])
def test_the_draw_has_the_stated_law_and_no_other(epsilon, values):
    trees = SetTrees(FOUR, depth=1, values=values)
    last = values - 1
    x = [("a",)] * 3 + [("b",)] * 3 + [("c",)] * 2 + [("d",)] * 2
    y = np.array([last, last, 0, 0, 0, last, last, last, 0, 0])
    runs, wanted = 6000, trees.question(0, (True, False, True, False), last, 0)
    learner = SetTreeLearner(trees=trees, epsilon=epsilon)
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


def task(schema, *, depth=1, alpha="0.2", beta="0.1", epsilon="1", **more):
    return Task(
        SetTrees(schema, depth=depth),
        privacy=Privacy(epsilon),
        accuracy=Accuracy(alpha, beta),
        error_share=0,
        **more,
    )


@pytest.mark.statistical
def test_the_planned_number_of_records_suffices_and_a_tenth_does_not():
    words = tuple(f"w{place}" for place in range(16))
    asked = task(complete([words]))
    planned = plan(asked).runnable
    n = planned.bound.n
    assert planned.algorithm.name == "sets of categories"
    rng, draw = np.random.default_rng(3), seeded(3)
    ill = set(words[1::2])

    def failures(n, runs):
        mechanism = planned.algorithm.built(asked.drawn, n)
        bad = 0
        for _ in range(runs):
            x = [(words[rng.integers(16)],) for _ in range(n)]
            y = np.array([one in ill for (one,) in x])
            rule = mechanism._release(Sample(x, y), rng=draw)
            answers = rule.predict([(one,) for one in words])
            bad += (answers != np.array([one in ill for one in words])).mean() > 0.2
        return bad

    assert failures(n, 60) <= 60 * 0.1
    assert failures(n // 10, 30) > 30 * 0.1


def test_records_grow_with_the_categories_as_the_number_of_sets_does():
    needed = [
        plan(task(complete([tuple(range(many))]), alpha="0.1", beta="0.05")).runnable.bound.n
        for many in (8, 16, 64, 256)
    ]
    assert needed == sorted(needed)
    # 2^C sets have C ln 2 nats: 192 categories more, so many nats more.
    each = -log(1 - 0.1 * (1 - np.exp(-0.5)))
    assert abs((needed[3] - needed[2]) * each / (192 * log(2)) - 1) < 0.1


def test_a_set_is_found_where_no_category_says_much():
    words = tuple(f"w{place}" for place in range(40))
    schema = Schema.of({"job": words, "age": (0, 99)})
    rng = np.random.default_rng(1)
    jobs = rng.choice(words, 4000)
    x = np.stack([jobs.astype(object), rng.integers(0, 100, 4000).astype(object)], axis=1)
    y = np.isin(jobs, words[:17]) & (x[:, 1].astype(int) < 50)
    learner = SetTreeLearner(trees=SetTrees.fitting(schema), epsilon=Fraction(1))
    rule = learner._release(Sample(x, y), rng=seeded(4))
    assert (rule.predict(x) != y).mean() < 0.03
    assert learner.prior(rule) > 0
    assert "job is" in rule.describe()


class Read(Streamed):
    """Records that are only counted."""

    def __init__(self, cells, labels):
        self.x, self.y = cells, labels

    def __len__(self):
        return len(self.y)

    def fold(self, tally):
        from tacit.tallies.arrays import ReadBatch

        return tally.add(tally.zero(), ReadBatch((self.x, self.y), len(self.y)))


def test_counted_records_have_the_same_draw():
    x = np.array([("a",), ("b",), ("c",), ("d",)] * 5, dtype=object)
    y = np.array([True, False, True, False] * 5)
    learner = SetTreeLearner(trees=SetTrees(FOUR, depth=1), epsilon=Fraction(1))
    held = Read(x, y)
    counted = few_cells(held, FOUR, declared=False)
    rules = {learner._release(data, rng=seeded(8)) for data in (Sample(x, y), held, counted)}
    assert len(rules) == 1
    assert placed(held, FOUR)[0].shape == (20, 1)


def test_too_many_categories_are_refused_in_words():
    wide = Schema.of({"code": [f"c{place}" for place in range(700)], "age": (0, 9)})
    entry = ALGORITHMS["sets of categories"]
    assert "use depth=1" in entry.too_large(task(wide, depth=2))
    assert entry.too_large(task(wide, depth=1)) is None
