"""Tests of ``tacit.problems.tables.either_learner``."""

import tracemalloc
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from math import ceil, exp, log, sqrt

import numpy as np
import pytest
from scipy.stats import binomtest
from tests.complete import complete
from tests.problems.tables.shared_cases import every, sums

from tacit.checks.testing import neighbours, seeded
from tacit.core import Approximate, BadInput, Relation, Sample, Selection
from tacit.mechanisms.calibration import shared_spread
from tacit.problems.tables.either_learner import EitherLearner, questions_mean
from tacit.problems.tables.shared_learner import SharedTreeLearner
from tacit.problems.tables.shared_trees import EitherTrees
from tacit.problems.tables.side_by_side import SideBySide
from tacit.problems.tables.tree_learner import TreeLearner
from tacit.problems.tables.trees import Trees

ONE = complete([bool])
TWO = complete([("a", "b", "c"), bool])
DELTA = Fraction(1, 1000)
PART = Fraction(1, 50)


def learner(relation=Relation.REPLACE_ONE, *, schema=ONE, depth=1, k=2, choice=1, **more):
    family = EitherTrees(schema, depth=depth)
    own = TreeLearner(trees=family.trees, epsilon=Fraction(1, 3), relation=relation)
    given = {
        "shared": SharedTreeLearner(
            family=family, k=k, questions=PART, labels=PART, relation=relation
        ),
        "apart": SideBySide(learner=own, schema=schema, k=k, epsilon=k, delta=DELTA),
        "choice": Fraction(choice),
        "epsilon": Fraction(k),
        "delta": DELTA,
    }
    return EitherLearner(**given | more)


def placed(records, k=2):
    cells = np.array([row for row, _ in records], dtype=np.int32).reshape(len(records), -1)
    marks = np.array([labels for _, labels in records], dtype=np.int64).reshape(-1, k)
    return cells.reshape(-1, max(1, cells.shape[1])), marks


def scores(made, records):
    cells, marks = placed(records)
    return made._apart_score(cells, marks), made._shared_score(cells, marks)


def labelled_trees(trees, levels):
    """All trees with their labels of leaves."""
    yield from (False, True)
    if levels:
        below = list(labelled_trees(trees, levels - 1))
        for cut in range(len(trees.cuts)):
            for low, high in product(below, repeat=2):
                yield (cut, low, high)


def least(made, cells, marks):
    """The least mistakes of own and of shared questions, by every tree."""
    trees, depth = made.own.trees, made.own.trees.depth
    told = [
        np.where(trees.hypothesis(tree).of_cells(cells), 1, -1)
        for tree in labelled_trees(trees, depth)
    ]
    apart = sum(
        min(int(np.count_nonzero(one == -marks[:, label])) for one in told)
        for label in range(marks.shape[1])
    )
    kept = [int(np.abs(sums(trees, q, cells, marks)).sum()) for q in every(trees, depth)]
    return apart, (np.count_nonzero(marks) - max(kept)) // 2


@pytest.mark.exact
@pytest.mark.parametrize("depth", [1, 2])
def test_scores_are_the_least_mistakes_and_what_is_expected_beyond(depth):
    """Marks of 0 are left out."""
    made = learner(schema=TWO, depth=depth)
    rng = np.random.default_rng(depth)
    for n in (0, 1, 5, 40, 400):
        cells = np.stack([rng.integers(0, 3, n), rng.integers(0, 2, n)], axis=1).astype(np.int32)
        marks = rng.integers(-1, 2, (n, 2)).astype(np.int64)
        apart, shared = least(made, cells, marks)
        assert made._apart_score(cells, marks) == apart + made.apart_more
        assert made._shared_score(cells, marks) == shared + made.shared_more


def test_what_is_expected_beyond_the_least_is_the_prior_and_noise_on_labels():
    made = learner(schema=TWO, depth=2)
    prior, rate = float(made.own.trees.least_prior()), float(made.own.rate)
    assert made.apart_more == ceil(-2 * log(prior) / rate)
    deviation = sqrt(made.shared.label_variance)
    noise = made.shared.family.leaves * (0.5 + 0.171 * deviation)
    asked = -log(made.shared.family.least_questions()) / (2 * made.shared.rate)
    assert made.shared_more == ceil(2 * (noise + asked))
    assert float(questions_mean(made.shared)) == pytest.approx(noise + asked)


@pytest.mark.exact
def test_no_draw_is_expected_to_make_more_mistakes_than_its_score():
    """Lemma (i) and (ii) by every tree: the mean mistakes of one label's draw."""
    made = learner(schema=TWO, depth=2)
    trees, rng = made.own.trees, np.random.default_rng(5)
    cells = np.stack([rng.integers(0, 3, 60), rng.integers(0, 2, 60)], axis=1).astype(np.int32)
    marks = np.where(rng.random((60, 2)) < 0.3, -1, 1)
    mean = 0.0
    for label in (0, 1):
        law = [
            (
                float(trees.prior(tree)),
                int(np.count_nonzero(np.where(told, -1, 1) == marks[:, label])),
            )
            for tree in labelled_trees(trees, 2)
            for told in [trees.hypothesis(tree).of_cells(cells)]
        ]
        weights = [p * exp(-float(made.own.rate) * wrong) for p, wrong in law]
        mean += sum(w * wrong for w, (_, wrong) in zip(weights, law, strict=True)) / sum(weights)
    assert least(made, cells, marks)[0] < mean < made._apart_score(cells, marks)


CELLS = [(0, 0), (0, 1), (1, 0), (1, 1)]
RECORDS = [(cells, labels) for cells in CELLS for labels in product((-1, 0, 1), repeat=2)]
PLAIN = [(cells, labels) for cells in CELLS for labels in product((-1, 1), repeat=2)]
CROWD = [(cells, (2 * cells[0] - 1, 2 * cells[1] - 1)) for cells in CELLS] * 9
"""Labels of which each has a column of its own: shared questions of one level miss one of them."""


@pytest.mark.exact
@pytest.mark.parametrize("relation", Relation)
def test_scores_move_apart_no_further_than_the_rate_assumes(relation):
    """Every pair of neighbours of a few records, alone and beside many."""
    made = learner(relation, schema=TWO)
    records = PLAIN if relation is Relation.LABEL else RECORDS
    most = shared_spread(relation, 2)
    worst = 0
    for many in ([], CROWD):
        # Their order means nothing to either score.
        of = cache(lambda few, many=many: scores(made, [*many, *few]))
        for left, right in neighbours(records, 2, relation):
            one, two = of(tuple(sorted(left))), of(tuple(sorted(right)))
            moved = [b - a for a, b in zip(one, two, strict=True)]
            worst = max(worst, abs(moved[0] - moved[1]))
            if relation.size_is_public or len(left) < len(right):
                assert all(-2 * relation.size_is_public <= step <= 2 for step in moved)
    assert 0 < worst <= most
    assert made.choice_rate * most == made.choice


@pytest.mark.exact
def test_both_ways_can_move_by_all_that_is_allowed():
    made = learner(choice=2)
    crowd = [((0,), (1, 1))] * 300 + [((1,), (-1, -1))] * 300
    one = scores(made, [*crowd, ((0,), (1, 1))])
    two = scores(made, [*crowd, ((0,), (-1, -1))])
    assert [after - before for before, after in zip(one, two, strict=True)] == [2, 2]


def chance_of_shared(made, records, rate):
    apart, shared = scores(made, records)
    return 1 / (1 + exp(float(rate) * (shared - apart)))


@pytest.mark.statistical
def test_the_choice_has_the_stated_law_and_no_other(monkeypatch):
    """What is run afterwards is replaced by its name."""
    made = learner(schema=TWO, choice=Fraction(1, 2))
    x = [("abc"[first], bool(second)) for (first, second), _ in CROWD]
    y = (np.array([labels for _, labels in CROWD]) + 1) // 2
    monkeypatch.setattr(SideBySide, "_release", lambda *_, **__: "apart")
    monkeypatch.setattr(SharedTreeLearner, "_release", lambda *_, **__: "shared")
    rng, runs = seeded(8), 2000
    hits = sum(made._release(Sample(x, y), rng=rng) == "shared" for _ in range(runs))
    rate = made.choice_rate
    assert binomtest(hits, runs, chance_of_shared(made, CROWD, rate)).pvalue > 1e-6
    for wrong in (rate / 2, 2 * rate):
        assert binomtest(hits, runs, chance_of_shared(made, CROWD, wrong)).pvalue < 1e-6


def test_what_is_paid_is_the_choice_the_dearer_way_and_the_counts():
    made = learner(count=(Fraction(1, 5), DELTA))
    relation = Relation.REPLACE_ONE
    assert made.event().events == (
        Selection(epsilon=Fraction(1), relation=relation),
        Approximate(epsilon=Fraction(2), delta=DELTA, relation=relation),
        Approximate(epsilon=Fraction(1, 5), delta=DELTA, relation=relation),
    )
    assert made.variance > 0
    assert learner().variance is None


def test_mistakes_are_counted_of_the_rules_that_are_released():
    """A count that costs nothing to speak of is all but exact."""
    made = learner(schema=TWO, depth=2, count=(Fraction(10**6), Fraction(1, 2)))
    rng = np.random.default_rng(0)
    x = [("abc"[a], bool(b)) for a, b in rng.integers(0, 2, (200, 2))]
    y = rng.integers(0, 2, (200, 2))
    found = made._release(Sample(x, y), rng=seeded(4))
    wrong = (found.rules.predict(x) != y.astype(bool)).sum(axis=0)
    assert np.abs(np.array(found.noisy_mistakes) - wrong).max() <= 8
    assert not learner()._release(Sample([(True,)], [[1, 0]]), rng=seeded(1)).noisy_mistakes


@pytest.mark.parametrize("way", ["either", "shared"])
def test_marks_are_held_in_a_byte_each(way):
    """Beside one word for each mark, which is counted from: two would not fit where one does."""
    rows, k = 20_000, 30
    made = learner(schema=TWO, depth=2, k=k, epsilon=Fraction(100))
    made = made if way == "either" else made.shared
    rng = np.random.default_rng(3)
    x = np.stack([np.array(list("abc"))[rng.integers(0, 3, rows)], rng.random(rows) < 0.5], axis=1)
    sample = Sample(x, rng.integers(0, 2, (rows, k)))
    made._release(sample, rng=seeded(1))  # compiles
    tracemalloc.start()
    try:
        made._release(sample, rng=seeded(1))
        assert tracemalloc.get_traced_memory()[1] < 2 * 8 * rows * k
    finally:
        tracemalloc.stop()


def test_learners_that_do_not_belong_together_are_refused():
    made = learner()
    other = learner(schema=TWO, depth=2)
    label = learner(Relation.LABEL)
    dear = replace(made.shared, questions=Fraction(9))
    counting = replace(made.shared, count=PART)
    costly = replace(made.apart, learner=replace(made.own, costs=(1, 2)))
    for given, said in (
        ({"apart": other.apart}, "the same trees"),
        ({"apart": label.apart}, "one relation"),
        ({"apart": costly}, "without costs"),
        ({"shared": counting}, "after the choice"),
        ({"shared": dear}, "shared questions cost more"),
        ({"epsilon": Fraction(1), "shared": replace(made.shared, questions=PART / 99)}, "side by"),
    ):
        with pytest.raises(BadInput, match=said):
            learner(**given)


@pytest.mark.exact
@pytest.mark.parametrize("depth", [1, 2])
def test_no_shared_questions_come_near_own_ones_on_every_table(depth):
    """Theorem 3 (a): all combinations of five coins, a label each; own trees never err."""
    k = 5
    schema = complete([bool] * k)
    cells = np.array(list(product((0, 1), repeat=k)), dtype=np.int32)
    trees = Trees(schema, depth=depth)
    marks = np.where(cells > 0, 1, -1)
    least = min(
        len(cells) * k - int(np.abs(sums(trees, tree, cells, marks)).sum())
        for tree in every(trees, depth)
    )
    assert Fraction(least, 2 * len(cells) * k) == (1 - Fraction(depth, k)) / 2
