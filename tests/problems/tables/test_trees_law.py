"""The tree sampler's law against enumeration of every tree, and its privacy, exactly."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from tests.complete import complete
from tests.problems.tables.table_trees_cases import every_tree, mistakes

from tacit.checks.testing import Scripted, exact_epsilon, neighbours, seeded
from tacit.core import ADD_REMOVE, LABEL, REPLACE_ONE, Sample
from tacit.exact.balls import at, ball
from tacit.exact.cells import choose_cell
from tacit.problems.tables.tree_learner import TreeLearner
from tacit.problems.tables.tree_weights import Weigher
from tacit.problems.tables.trees import RuleLists, Trees

pytestmark = pytest.mark.exact

TINY = complete([(0, 1), ("a", "b", "c")], bins=2)

ROWS = [(0.2, "a"), (0.8, "a"), (0.2, "b"), (0.8, "c")]


def every_list(lists, levels):
    yield False
    yield True
    if levels:
        below = list(every_list(lists, levels - 1))
        for cut in range(len(lists.cuts)):
            for low, high in product(below, repeat=2):
                if isinstance(low, bool) or isinstance(high, bool):
                    yield (cut, low, high)


def stated_law(trees, rate, x, y):
    """Weights from the definition: one tree at a time, by predicting every record."""
    with at(256):
        weights = {
            tree: ball(trees.prior(tree)) * (-ball(rate) * mistakes(trees, tree, x, y)).exp()
            for tree in (every_list if trees.chain else every_tree)(trees, trees.depth)
        }
        total = sum(weights.values(), ball(0))
        return {tree: weight / total for tree, weight in weights.items()}


def computed_law(weigher, node, levels):
    """The law of ``draw``: products of the choices' exact probabilities, by balls."""
    weights = list(weigher.balls(node, levels))
    total = sum(weights, ball(0))
    law = {False: weights[0] / total, True: weights[1] / total}
    for place, weight in enumerate(weights[2:]):
        cut, part = divmod(place, weigher._parts(levels))
        low, high = weigher.sides(node, levels, cut)
        left, right = weigher._below(levels)[part]
        for (a, p), (b, q) in product(
            computed_law(weigher, low, left).items(), computed_law(weigher, high, right).items()
        ):
            law[(cut, a, b)] = law.get((cut, a, b), ball(0)) + weight / total * p * q
    return law


def data(seed, n=7):
    rng = np.random.default_rng(seed)
    x = [ROWS[i] for i in rng.integers(0, len(ROWS), n)]
    return x, rng.integers(0, 2, n).astype(bool)


@pytest.mark.parametrize(
    ("kind", "depth"),
    [(Trees, 0), (Trees, 1), (Trees, 2), (RuleLists, 1), (RuleLists, 2), (RuleLists, 3)],
)
def test_the_prior_is_a_probability_and_the_law_is_the_stated_one(kind, depth):
    trees = kind(TINY, depth=depth)
    listed = list((every_list if trees.chain else every_tree)(trees, depth))
    assert len(listed) == trees.size
    assert sum(trees.prior(tree) for tree in listed) == 1
    assert min(trees.prior(tree) for tree in listed) == trees.least_prior()
    x, y = data(depth)
    weigher = Weigher(trees, Fraction(2, 3))
    root = weigher.root(TINY.coerce(x), y)
    with at(256):
        stated = stated_law(trees, Fraction(2, 3), x, y)
        computed = computed_law(weigher, root, depth)
        assert computed.keys() == stated.keys()
        for tree, mass in stated.items():
            gap = abs(computed[tree] - mass)
            assert gap < ball(Fraction(1, 10**60))
        # A different rate is told apart (where there are mistakes to count).
        other = stated_law(trees, Fraction(3, 4), x, y)
        assert any(
            abs(other[tree] - mass) > ball(Fraction(1, 1000)) for tree, mass in stated.items()
        )


def test_three_levels_choose_their_root_by_the_stated_law():
    trees = Trees(complete([bool]), depth=3)
    x = [(True,), (True,), (False,), (False,), (False,)]
    y = np.array([0, 1, 1, 0, 1], dtype=bool)
    rate = Fraction(1, 2)
    weigher = Weigher(trees, rate)
    root = weigher.root(trees.schema.coerce(x), y)
    stated = stated_law(trees, rate, x, y)
    with at(256):
        choices = list(weigher.balls(root, 3))
        total = sum(choices, ball(0))
        for cut in range(len(trees.cuts)):
            mass = sum(
                (p for tree, p in stated.items() if not isinstance(tree, bool) and tree[0] == cut),
                ball(0),
            )
            assert abs(choices[2 + cut] / total - mass) < ball(Fraction(1, 10**60))


@pytest.mark.parametrize("kind", [Trees, RuleLists])
@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("n", [0, 1, 40, 3000])
def test_float_weights_stay_within_their_proved_error(kind, depth, n):
    rng = np.random.default_rng(depth)
    schema = complete([(0, 1), ("a", "b", "c"), bool], bins=4)
    x = [(rng.random(), "abc"[rng.integers(3)], bool(rng.integers(2))) for _ in range(n)]
    x = x or np.empty((0, 3), dtype=object)
    y = rng.integers(0, 2, n).astype(bool)
    weigher = Weigher(kind(schema, depth=depth), Fraction(3, 2))
    root = weigher.root(schema.coerce(x), y)
    m, z = weigher.choices(root, depth)
    bound = Fraction(weigher.relative_error(depth))
    assert bound < Fraction(1, 10**9)
    with at(400):
        for mistakes_, value, true in zip(
            m.tolist(), z.tolist(), weigher.balls(root, depth), strict=True
        ):
            ratio = ball(Fraction(value)) * (-ball(Fraction(3, 2)) * mistakes_).exp() / true
            assert abs(ratio - 1) < ball(bound)


@pytest.mark.parametrize(
    ("relation", "rate"),
    [(REPLACE_ONE, Fraction(1, 2)), (LABEL, Fraction(1, 2)), (ADD_REMOVE, Fraction(1))],
)
def test_privacy_by_enumerating_neighbours_and_trees(relation, rate):
    trees = Trees(complete([(0, 1), bool], bins=2), depth=2)
    learner = TreeLearner(trees=trees, epsilon=Fraction(1), relation=relation)
    assert learner.rate == rate
    records = [((0.2, False), 0), ((0.2, False), 1), ((0.8, True), 0), ((0.8, False), 1)]
    laws = {}

    def law(rows):
        if rows not in laws:
            weigher = Weigher(trees, learner.rate)
            x = [row for row, _ in rows] or np.empty((0, 2), dtype=object)
            y = np.array([label for _, label in rows], dtype=bool)
            with at(256):
                laws[rows] = computed_law(weigher, weigher.root(trees.schema.coerce(x), y), 2)
        return laws[rows]

    worst = ball(0)
    for left, right in neighbours(records, 2, relation):
        worst = worst.max(exact_epsilon(law(left), law(right)))
    assert worst < 1 + ball(Fraction(1, 10**60))
    assert worst > ball(Fraction(1, 5))


def test_the_walk_itself_has_the_law():
    """Follow the real sampler through its coins on a table where few bits decide."""
    trees = Trees(complete([bool], bins=2), depth=1)
    x, y = [(True,), (True,), (False,)], np.array([1, 1, 0], dtype=bool)
    weigher = Weigher(trees, Fraction(1))
    root = weigher.root(trees.schema.coerce(x), y)
    stated = stated_law(trees, Fraction(1), x, y)
    counts = {}
    rng = seeded(5)
    draws = 4000
    for _ in range(draws):
        tree = weigher.draw(root, levels=1, rng=rng)
        counts[tree] = counts.get(tree, 0) + 1
    for tree, mass in stated.items():
        p = float(mass)
        # Six standard deviations: a false alarm once in 10^8 runs of this seedless claim.
        assert abs(counts.get(tree, 0) / draws - p) < 6 * (p * (1 - p) / draws) ** 0.5 + 1e-12


@pytest.mark.parametrize("relative", [1e-15, 0.2, float("inf")])
def test_a_choice_in_doubt_is_settled_by_balls_with_the_same_bits(relative):
    """Whatever the floats' error bound, the answer is the same function of the uniform."""
    weights = [Fraction(1, 8), Fraction(1, 2), Fraction(3, 8)]
    answers = []
    for word in (0, 1, 2**61 - 1, 2**61, 2**61 + 1, 5 * 2**61 - 1, 5 * 2**61, 2**64 - 1):
        rng = Scripted(word, 64)
        answers.append(
            choose_cell(
                rng,
                np.array([float(w) for w in weights]),
                relative=relative,
                absolute=0.0,
                balls=lambda: (ball(w) for w in weights),
            )
        )
    assert answers[1] == 0
    assert answers[4] == 1
    assert answers[5] == 1
    assert answers[7] == 2


def test_a_schema_without_questions_leaves_two_constant_trees():
    trees = Trees(complete([("one",)]), depth=2)
    assert trees.cuts == ()
    weigher = Weigher(trees, Fraction(1))
    root = weigher.root(trees.schema.coerce([("one",), ("one",)]), np.array([True, False]))
    assert root.zeros == root.ones == 1
    assert trees.least_prior() == Fraction(1, 2)


def test_release_is_total_on_odd_records():
    trees = Trees(TINY, depth=2)
    learner = TreeLearner(trees=trees, epsilon=Fraction(1))
    for x, y in [
        (np.empty((0, 2)), []),
        ([(None, None)], [None]),
        ([("text", 5), (float("inf"), "a")], ["yes", 1]),
    ]:
        rule = learner._release(Sample(x, y), rng=seeded(1))
        assert rule.predict([(0.1, "a")]).shape == (1,)
