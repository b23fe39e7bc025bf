"""One-way sequences: the tree on all small cases, the learner's privacy exactly."""

from fractions import Fraction
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from tests.tools.b20_laws import BITS, one_way_law

from tacit.checks.testing import exact_delta, exact_epsilon, neighbours
from tacit.core import Relation
from tacit.exact.balls import at, ball
from tacit.problems.one_way.sequence_learner import OneWayLearner
from tacit.problems.one_way.sequences import OneWaySequences, Tree

pytestmark = pytest.mark.exact

LAST_DIGIT = Fraction(1, 1 << 180)


@pytest.mark.parametrize("tree", [Tree(k, lam, k * lam + 1) for k, lam in ((1, 1), (3, 5), (5, 4))])
def test_forward_reaches_every_later_leaf(tree):
    for seed in (0, 1, (1 << tree.seed_bits) - 1):
        leaves = [tree.leaf(i, seed) for i in range(tree.leaves)]
        for i, j in combinations(range(tree.leaves), 2):
            assert tree.forward(j, i, leaves[i][0]) == leaves[j]


def test_forward_is_total_and_transitive_on_any_bits():
    tree = Tree(3, 2, 7)
    for string in range(1 << tree.width):
        for i, j, k in combinations(range(tree.leaves), 3):
            middle, _ = tree.forward(j, i, string)
            assert 0 <= middle < 1 << tree.width
            assert tree.forward(k, j, middle) == tree.forward(k, i, string)


@pytest.mark.parametrize(
    "shape", [{"bits": 64}, {"bits": 1000}, {"index_bits": 16, "seed_bits": 128}]
)
def test_forward_on_large_trees(shape):
    concepts = OneWaySequences(**shape)
    tree = concepts.tree
    generator = np.random.default_rng(0)
    for _ in range(20):
        seed = int.from_bytes(generator.bytes(16), "big") % (1 << tree.seed_bits)
        i, j = sorted(generator.choice(min(tree.leaves, 2**31 - 1), 2, replace=False).tolist())
        assert tree.forward(j, i, tree.leaf(i, seed)[0]) == tree.leaf(j, seed)
    assert tree.leaf(tree.leaves - 1, 5)[0] == 0
    labels = [tree.leaf(i, 3)[1] for i in range(min(tree.leaves, 128))]
    assert 0.2 < sum(labels) / len(labels) < 0.8


def test_known_answers():
    """Fixed by the specification: SHAKE128 over tag, seed length, branch and seed."""
    import hashlib

    tree = OneWaySequences(bits=64).tree
    assert (tree.index_bits, tree.seed_bits, tree.width) == (7, 7, 57)
    text = b"OWS-GGM" + (7).to_bytes(4, "big") + b"\x01" + (93).to_bytes(1, "big")
    assert tree.child(93, 1) == hashlib.shake_128(text).digest(1)[0] >> 1
    text = b"OWS-LBL" + (7).to_bytes(4, "big") + (93).to_bytes(1, "big")
    assert tree.label(93) == hashlib.shake_128(text).digest(1)[0] & 1


def test_a_concept_is_one_exactly_on_its_marked_strings():
    concepts = OneWaySequences(bits=16)
    everything = np.arange(1 << 16)
    for seed in range(concepts.size):
        marked = [
            record
            for record, label in (concepts.record(i, seed) for i in range(concepts.tree.leaves))
            if label
        ]
        assert np.flatnonzero(concepts.hypothesis(seed).predict(everything)).tolist() == marked


def learner(tree, *, delta, relation=Relation.REPLACE_ONE, factor=1):
    parts = ("epsilon_count", "epsilon_index", "epsilon_string")
    return OneWayLearner(
        tree=tree,
        **{part: Fraction(factor, 3) for part in parts},
        enough=1,
        low=1,
        high=2,
        delta=delta,
        relation=relation,
    )


TREES = {
    "k = 1": (Tree(1, 1, 3), 3),
    "k = 2": (Tree(2, 1, 2), 2),
    "k = 2, wide": (Tree(2, 2, 4), 2),
}


def records(tree):
    """All positive records (a spread of them on the largest tree), and -1 for any negative."""
    count = 1 << (tree.index_bits + tree.width)
    return [-1, *range(0, count, max(1, count // 16))]


def law(mechanism, data):
    return one_way_law(mechanism, [record for record in data if record >= 0])


@pytest.mark.parametrize("relation", [Relation.REPLACE_ONE, Relation.ADD_REMOVE])
@pytest.mark.parametrize("name", TREES)
def test_pure_learner_over_all_neighbours(name, relation):
    tree, n = TREES[name]
    laws = cache(lambda data: law(learner(tree, delta=0, relation=relation), data))
    worst = ball(0)
    for left, right in neighbours(
        records(tree), n if relation is Relation.ADD_REMOVE else 2, relation
    ):
        worst = worst.max(exact_epsilon(laws(tuple(sorted(left))), laws(tuple(sorted(right)))))
    with at(BITS):
        assert ball(Fraction(1, 2)) < worst < ball(1 + LAST_DIGIT)


@pytest.mark.parametrize("name", TREES)
def test_pure_learner_under_label_neighbours(name):
    """A flipped label makes a positive record a negative one, or the other way round."""
    tree, n = TREES[name]
    laws = cache(lambda data: law(learner(tree, delta=0, relation=Relation.LABEL), data))
    worst = ball(0)
    for left, right in neighbours(records(tree)[1:], n, Relation.ADD_REMOVE):
        worst = worst.max(exact_epsilon(laws(left), laws(right)))
    with at(BITS):
        assert ball(Fraction(1, 2)) < worst < ball(1 + LAST_DIGIT)


def test_the_same_check_rejects_twice_the_privacy():
    tree, _ = TREES["k = 1"]
    mechanism = learner(tree, delta=0, factor=2)
    worst = ball(0)
    laws = cache(lambda data: law(mechanism, data))
    for left, right in neighbours(records(tree), 2, Relation.REPLACE_ONE):
        worst = worst.max(exact_epsilon(laws(left), laws(right)))
    assert worst > 1


@pytest.mark.parametrize(
    ("name", "relation", "delta"),
    [
        ("k = 1", Relation.REPLACE_ONE, Fraction(1, 20)),
        ("k = 1", Relation.ADD_REMOVE, Fraction(1, 10**6)),
        ("k = 2", Relation.REPLACE_ONE, Fraction(1, 20)),
    ],
)
def test_approximate_learner_over_all_neighbours(name, relation, delta):
    tree, _ = TREES[name]
    mechanism = learner(tree, delta=delta, relation=relation)
    laws = cache(lambda data: law(mechanism, data))
    found = exact_delta(
        lambda data: laws(tuple(sorted(data))),
        records(tree),
        2,
        epsilon=Fraction(1),
        relation=relation,
    )
    assert 0 < found <= ball(delta)
