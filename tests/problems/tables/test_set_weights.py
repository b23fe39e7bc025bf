"""Tests of ``tacit.problems.tables.set_weights``."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from tests.complete import complete
from tests.problems.tables.set_cases import stated

from tacit.exact.balls import at, ball
from tacit.problems.tables.set_trees import SetTrees
from tacit.problems.tables.set_weights import SetWeigher
from tacit.problems.tables.valued_weights import ValueTally, ValueWeigher
from tacit.tallies.arrays import ReadBatch

pytestmark = pytest.mark.exact

TINY = complete([bool, ("a", "b", "c", "d")])


def data(seed, n, values):
    rng = np.random.default_rng(seed)
    x = [(bool(rng.integers(2)), "abcd"[rng.integers(4)]) for _ in range(n)]
    return x or np.empty((0, 2), dtype=object), rng.integers(0, values, n)


def computed(weigher, node, levels):
    """The law of ``draw``: products of the choices' probabilities, by balls."""
    trees, law = weigher.trees, {}

    def add(root, mass):
        law[root] = law.get(root, ball(0)) + mass

    weights = list(weigher.balls(node, levels))
    total = sum(weights, ball(0))
    shares = iter([weight / total for weight in weights])
    for label in range(trees.values):
        add(trees.labelled(label), next(shares))
    if not levels:
        return law
    for place, cut in enumerate(trees.cuts):
        sides = [
            computed(weigher, one, levels - 1) for one in weigher.plain.sides(node, levels, place)
        ]
        share = next(shares)
        for (low, p), (high, q) in product(*(side.items() for side in sides)):
            add((cut, low, high), share * p * q)
    for choice in weigher.sets:
        share = next(shares)
        coins = []
        for inside, outside in weigher._wrong(node, choice):
            yes, no = weigher._sides(choice.chance, inside, outside)
            coins.append((no / (yes + no), yes / (yes + no)))
        for chosen in product((False, True), repeat=len(coins)):
            mass = share
            for is_in, coin in zip(chosen, coins, strict=True):
                mass *= coin[is_in]
            add(trees.question(choice.column, chosen, choice.inside, choice.outside), mass)
    return law


@pytest.mark.parametrize(
    ("depth", "values", "n"), [(0, 2, 5), (1, 2, 7), (1, 3, 6), (2, 2, 9), (1, 2, 0)]
)
def test_the_law_is_the_stated_one(depth, values, n):
    trees = SetTrees(TINY, depth=depth, leaf=Fraction(1, 5), values=values)
    x, y = data(depth, n, values)
    rate = Fraction(2, 3)
    weigher = SetWeigher(trees, rate)
    root = weigher.plain.root(TINY.coerce(x), y)
    with at(256):
        wanted, found = stated(trees, rate, x, y), computed(weigher, root, depth)
        assert found.keys() == wanted.keys()
        assert all(abs(found[t] - mass) < ball(Fraction(1, 10**60)) for t, mass in wanted.items())
        other = stated(trees, Fraction(3, 4), x, y)
        moved = any(abs(other[t] - mass) > ball(Fraction(1, 1000)) for t, mass in wanted.items())
        assert moved is bool(n)


@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize(("n", "values"), [(0, 2), (1, 2), (60, 3), (3000, 2)])
def test_float_weights_stay_within_their_proved_error(depth, n, values):
    rng = np.random.default_rng(depth)
    words = tuple(f"w{place}" for place in range(30))
    schema = complete([(0, 1), words, bool], bins=4)
    x = [(rng.random(), words[rng.integers(30)], bool(rng.integers(2))) for _ in range(n)]
    x = x or np.empty((0, 3), dtype=object)
    y = rng.integers(0, values, n)
    rate = Fraction(3, 2)
    weigher = SetWeigher(SetTrees(schema, depth=depth, leaf=Fraction(1, 5), values=values), rate)
    root = weigher.plain.root(schema.coerce(x), y)
    m, z = weigher.choices(root, depth)
    bound = Fraction(weigher.relative_error(depth))
    assert bound < Fraction(1, 10**9)
    with at(400):
        trues = list(weigher.balls(root, depth))
        assert len(trues) == len(m) > values + len(weigher.trees.cuts)
        for mistakes, value, true in zip(m.tolist(), z.tolist(), trues, strict=True):
            ratio = ball(Fraction(value)) * (-ball(rate) * mistakes).exp() / true
            assert abs(ratio - 1) < ball(bound)


def test_so_many_categories_that_only_balls_decide():
    trees = SetTrees(complete([tuple(f"w{place}" for place in range(900))]), depth=1)
    weigher = SetWeigher(trees, Fraction(1))
    assert weigher.relative_error(1) == float("inf")


@pytest.mark.parametrize("depth", [1, 2])
def test_without_many_categories_the_weights_are_those_of_the_usual_trees(depth):
    schema = complete([(0, 1), ("a", "b", "c")], bins=3)
    rng = np.random.default_rng(2)
    cells = np.stack([rng.integers(0, 3, 50), rng.integers(0, 3, 50)], axis=1).astype(np.int32)
    y = rng.integers(0, 2, 50)
    trees = SetTrees(schema, depth=depth)
    usual, sets = ValueWeigher(trees.plain, Fraction(1, 3)), SetWeigher(trees, Fraction(1, 3))
    m, z = usual.choices(usual.root(cells, y), depth)
    m_too, z_too = sets.choices(sets.plain.root(cells, y), depth)
    assert np.array_equal(m, m_too)
    assert np.allclose(z, z_too, rtol=1e-12, atol=0)


def test_batches_have_the_weights_of_the_whole():
    x, y = data(3, 23, 2)
    trees = SetTrees(TINY, depth=2)
    weigher = SetWeigher(trees, Fraction(1))
    tally, table = ValueTally(weigher.plain), np.array(x, dtype=object)
    parts = [
        tally.add(tally.zero(), ReadBatch((table[a:b], y[a:b]), b - a))
        for a, b in ((0, 5), (5, 23))
    ]
    whole = weigher.plain.root(TINY.coerce(x), y)
    found, wanted = (weigher.choices(one, 2) for one in (tally.merge(*parts), whole))
    assert np.array_equal(found[0], wanted[0])
    assert np.array_equal(found[1], wanted[1])
