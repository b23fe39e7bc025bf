"""Trees of four levels: the law against a plain recursion, and privacy, exactly."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from tests.complete import complete

from tacit.checks.testing import exact_epsilon, neighbours, seeded
from tacit.core import ADD_REMOVE, LABEL, REPLACE_ONE, BadInput
from tacit.domains import Schema
from tacit.exact.balls import at, ball
from tacit.problems.tables import tree_weights
from tacit.problems.tables.deep_tree_learner import DeepTreeLearner
from tacit.problems.tables.deep_trees import DeepTrees
from tacit.problems.tables.tree_weights import Weigher
from tacit.problems.tables.trees import Trees

SCHEMA = complete([bool])
LEAF = Fraction(1, 5)
TINY = ball(Fraction(1, 10**60))


def functions(rows, levels, rate):
    """The weight of every function of one bit, summed over the trees that compute it."""
    out = dict.fromkeys(product((False, True), repeat=2), ball(0))
    for label in (False, True):
        wrong = sum(label != y for _, y in rows)
        share = ball(LEAF) if levels else ball(1)
        out[(label, label)] += share / 2 * (-ball(rate) * wrong).exp()
    if levels:
        low = functions([row for row in rows if not row[0][0]], levels - 1, rate)
        high = functions([row for row in rows if row[0][0]], levels - 1, rate)
        for (a, p), (b, q) in product(low.items(), high.items()):
            out[(a[0], b[1])] += ball(1 - LEAF) * p * q
    return out


def law(rows, rate):
    three, four = functions(rows, 3, rate), functions(rows, 4, rate)
    weights = {f: ball(Fraction(9, 10)) * three[f] + four[f] / 10 for f in three}
    total = sum(weights.values(), ball(0))
    return {f: weight / total for f, weight in weights.items()}


def placed(rows):
    x = [row for row, _ in rows] or np.empty((0, 1), dtype=object)
    return SCHEMA.coerce(x), np.array([label for _, label in rows], dtype=bool)


ROWS = (((True,), 1), ((True,), 1), ((True,), 0), ((False,), 0), ((False,), 1), ((False,), 0))


def test_the_sum_over_all_trees_of_four_levels():
    rate = Fraction(2, 3)
    with at(256):
        for trees in (Trees(SCHEMA, 3), DeepTrees(SCHEMA)):
            weigher = Weigher(trees, rate)
            found = weigher.total(weigher.root(*placed(ROWS)), trees.depth)
            stated = sum(functions(ROWS, trees.depth, rate).values(), ball(0))
            assert abs(found / stated - 1) < TINY


def test_draws_follow_the_law_of_both_classes_together():
    learner = DeepTreeLearner(schema=SCHEMA, epsilon=Fraction(2))
    cells, labels = placed(ROWS)
    stated = law(ROWS, learner.rate)
    rng, draws = seeded(11), 3000
    rules = (learner.draw(cells, labels, rng) for _ in range(draws))
    both = SCHEMA.coerce([(False,), (True,)])
    counts = dict.fromkeys(stated, 0)
    for root in rules:
        while_both = []
        for cell in both:
            node = root
            while not isinstance(node, bool):
                node = node[1] if node[0].asks(cell[None])[0] else node[2]
            while_both.append(node)
        counts[tuple(while_both)] += 1
    wrong = law(ROWS, learner.rate * 2)
    told_apart = False
    for function, mass in stated.items():
        p, q = float(mass), float(wrong[function])
        # Six standard deviations: a false alarm once in 10^8 such comparisons.
        room = 6 * (p * (1 - p) / draws) ** 0.5
        assert abs(counts[function] / draws - p) < room
        told_apart = told_apart or abs(counts[function] / draws - q) > room
    assert told_apart


@pytest.mark.parametrize("relation", [REPLACE_ONE, LABEL, ADD_REMOVE])
def test_privacy_by_enumerating_neighbours(relation):
    """Trees of one function change their probability by one factor, so functions suffice."""
    learner = DeepTreeLearner(schema=SCHEMA, epsilon=Fraction(1), relation=relation)
    assert learner.rate == (1 if relation is ADD_REMOVE else Fraction(1, 2))
    records = [((a,), b) for a, b in product((False, True), (0, 1))]
    laws, worst = {}, ball(0)
    with at(256):
        for left, right in neighbours(records, 3, relation):
            for rows in (left, right):
                if rows not in laws:
                    laws[rows] = law(rows, learner.rate)
            worst = worst.max(exact_epsilon(laws[left], laws[right]))
    assert worst < 1 + TINY
    assert worst > ball(Fraction(2, 5))


@pytest.mark.parametrize("n", [0, 1, 40, 700])
def test_float_weights_of_four_levels_stay_within_their_proved_error(n):
    rng = np.random.default_rng(n)
    schema = complete([("a", "b", "c"), bool])
    x = [("abc"[rng.integers(3)], bool(rng.integers(2))) for _ in range(n)]
    x = x or np.empty((0, 2), dtype=object)
    weigher = Weigher(DeepTrees(schema), Fraction(3, 2))
    root = weigher.root(schema.coerce(x), rng.integers(0, 2, n).astype(bool))
    m, z = weigher.choices(root, 4)
    bound = Fraction(weigher.relative_error(4))
    assert bound < Fraction(1, 10**9)
    with at(400):
        for mistakes, value, true in zip(
            m.tolist(), z.tolist(), weigher.balls(root, 4), strict=True
        ):
            ratio = ball(Fraction(value)) * (-ball(Fraction(3, 2)) * mistakes).exp() / true
            assert abs(ratio - 1) < ball(bound)


def test_what_is_admitted_has_the_error_that_the_proof_states():
    for schema in (
        complete([range(2)] * 52),
        Schema.of([range(16)] * 6),
        Schema.of([range(12)] * 8),
    ):
        assert DeepTrees.can_be_weighed(schema, None)
        assert Weigher(DeepTrees(schema), Fraction(1)).relative_error(4) < 1e-11
    assert not DeepTrees.can_be_weighed(Schema.of([range(16)] * 6 + [bool]), None)
    assert not DeepTrees.can_be_weighed(complete([range(9)] * 10), 10**9)
    # A quarter of a minute at 200 000 records on two cores, and linear from there on.
    assert DeepTrees.can_be_weighed(Schema.of([range(16)] * 6), 200_000)
    assert not DeepTrees.can_be_weighed(Schema.of([range(16)] * 6), 2_000_000)
    assert not DeepTrees.can_be_carried(complete([range(9)] * 10), None)
    with pytest.raises(BadInput, match="depth"):
        DeepTrees(SCHEMA, 5)


@pytest.mark.parametrize("depth", [0, 1, 2, 3])
@pytest.mark.parametrize("rows", [0, 1, 5, 6, 23])
def test_a_table_read_in_pieces_has_the_counts_of_the_whole(depth, rows, monkeypatch):
    rng = np.random.default_rng(rows)
    schema = complete([(0, 1), (0, 1)], bins=3)
    x, y = rng.random((rows, 2)), rng.integers(0, 2, rows).astype(bool)
    weigher = Weigher(Trees(schema, depth), Fraction(1))
    whole = weigher.root(schema.coerce(x), y)
    monkeypatch.setattr(tree_weights, "_PIECE", 5)
    read = weigher.read(x, y)
    assert (read.zeros, read.ones) == (whole.zeros, whole.ones)
    assert (read.counts is None) == (whole.counts is None)
    assert read.counts is None or np.array_equal(read.counts, whole.counts)
    assert (read.rows is None) == (depth < 3)
