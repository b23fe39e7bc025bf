"""Tests of ``tacit.problems.tables.valued_weights``."""

from fractions import Fraction

import numpy as np
import pytest
from tests.complete import complete
from tests.problems.tables.valued_cases import computed, stated

from tacit.exact.balls import at, ball
from tacit.problems.tables.tree_weights import Weigher
from tacit.problems.tables.trees import RuleLists, Trees
from tacit.problems.tables.valued_trees import ValuedLists, ValuedTrees, valued
from tacit.problems.tables.valued_weights import ValueTally, ValueWeigher
from tacit.tallies.arrays import ReadBatch

pytestmark = pytest.mark.exact

TINY = complete([(0, 1), ("a", "b", "c")], bins=2)
ROWS = [(0.2, "a"), (0.8, "a"), (0.2, "b"), (0.8, "c")]


def data(seed, n, values):
    rng = np.random.default_rng(seed)
    return [ROWS[i] for i in rng.integers(0, len(ROWS), n)], rng.integers(0, values, n)


@pytest.mark.parametrize(
    ("kind", "depth", "values"),
    [
        (ValuedTrees, 0, 3),
        (ValuedTrees, 1, 3),
        (ValuedTrees, 2, 3),
        (ValuedTrees, 1, 6),
        (ValuedLists, 1, 3),
        (ValuedLists, 2, 3),
    ],
)
def test_the_law_is_the_stated_one(kind, depth, values):
    trees = kind(TINY, depth=depth, leaf=Fraction(1, 5), values=values)
    x, y = data(depth, 7, values)
    rate = Fraction(2, 3)
    weigher = ValueWeigher(trees, rate)
    root = weigher.root(TINY.coerce(x), y)
    with at(256):
        wanted, found = stated(trees, rate, x, y), computed(weigher, root, depth)
        assert found.keys() == wanted.keys()
        assert all(abs(found[t] - mass) < ball(Fraction(1, 10**60)) for t, mass in wanted.items())
        other = stated(trees, Fraction(3, 4), x, y)
        assert any(abs(other[t] - mass) > ball(Fraction(1, 1000)) for t, mass in wanted.items())


@pytest.mark.parametrize("kind", [ValuedTrees, ValuedLists])
def test_the_law_with_costs_is_the_stated_one(kind):
    trees, rate, costs = kind(TINY, depth=2, values=3), Fraction(1, 7), (2, 0, 5)
    x, y = data(5, 7, 3)
    weigher = ValueWeigher(trees, rate, costs)
    with at(256):
        wanted = stated(trees, rate, x, y, costs)
        found = computed(weigher, weigher.root(TINY.coerce(x), y), 2)
        assert found.keys() == wanted.keys()
        assert all(abs(found[t] - mass) < ball(Fraction(1, 10**60)) for t, mass in wanted.items())
        other = stated(trees, rate, x, y, (2, 1, 5))
        assert any(abs(other[t] - mass) > ball(Fraction(1, 1000)) for t, mass in wanted.items())


@pytest.mark.parametrize("kind", [ValuedTrees, ValuedLists])
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_costs_are_as_if_records_were_there_so_many_times(kind, depth):
    schema = complete([(0, 1), (0, 1), ["a", "b", "c"]], bins=3)
    rng = np.random.default_rng(depth)
    cells = np.stack([rng.integers(0, size, 40) for size in schema.cells], axis=1).astype(np.int32)
    labels, costs = rng.integers(0, 3, 40), (4, 0, 3)
    trees, repeats = kind(schema, depth=depth, values=3), np.array(costs)[labels]
    one, other = ValueWeigher(trees, Fraction(1, 7), costs), ValueWeigher(trees, Fraction(1, 7))
    many = other.root(np.repeat(cells, repeats, axis=0), np.repeat(labels, repeats))
    left, right = one.choices(one.root(cells, labels), depth), other.choices(many, depth)
    assert np.array_equal(left[0], right[0])
    assert np.allclose(left[1], right[1], rtol=1e-12)
    for low, high in zip(
        one.sides(one.root(cells, labels), depth, 1), other.sides(many, depth, 1), strict=True
    ):
        assert np.array_equal(low.each, high.each)


@pytest.mark.parametrize("kind", [ValuedTrees, ValuedLists])
@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize(("n", "values"), [(0, 3), (1, 3), (40, 5), (2000, 3)])
def test_float_weights_stay_within_their_proved_error(kind, depth, n, values):
    rng = np.random.default_rng(depth)
    schema = complete([(0, 1), ("a", "b", "c"), bool], bins=4)
    x = [(rng.random(), "abc"[rng.integers(3)], bool(rng.integers(2))) for _ in range(n)]
    x = x or np.empty((0, 3), dtype=object)
    y = rng.integers(0, values, n)
    weigher = ValueWeigher(
        kind(schema, depth=depth, leaf=Fraction(1, 5), values=values), Fraction(3, 2)
    )
    root = weigher.root(schema.coerce(x), y)
    m, z = weigher.choices(root, depth)
    bound = Fraction(weigher.relative_error(depth))
    assert bound < Fraction(1, 10**9)
    with at(400):
        trues = list(weigher.balls(root, depth))
        assert len(trues) == len(m) > values
        for mistakes, value, true in zip(m.tolist(), z.tolist(), trues, strict=True):
            ratio = ball(Fraction(value)) * (-ball(Fraction(3, 2)) * mistakes).exp() / true
            assert abs(ratio - 1) < ball(bound)


@pytest.mark.parametrize("kind", [Trees, RuleLists])
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_two_values_have_the_weights_of_the_usual_trees(kind, depth):
    rng = np.random.default_rng(1)
    schema = complete([(0, 1), (0, 1)], bins=5)
    cells, y = schema.coerce(rng.random((60, 2))), rng.integers(0, 2, 60)
    usual = Weigher(kind(schema, depth=depth), Fraction(1, 3))
    several = ValueWeigher(valued(kind(schema, depth=depth), 2), Fraction(1, 3))
    m, z = usual.choices(usual.root(cells, y.astype(bool)), depth)
    m_too, z_too = several.choices(several.root(cells, y), depth)
    assert np.array_equal(m, m_too)
    assert np.allclose(z, z_too, rtol=1e-12, atol=0)


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_batches_have_the_counts_of_the_whole(depth):
    rng = np.random.default_rng(depth)
    schema = complete([(0, 1), (0, 1)], bins=3)
    x, y = rng.random((23, 2)), rng.integers(0, 3, 23)
    weigher = ValueWeigher(ValuedTrees(schema, depth=depth), Fraction(1))
    tally = ValueTally(weigher)
    parts = [
        tally.add(tally.zero(), ReadBatch((x[a:b], y[a:b]), b - a)) for a, b in ((0, 5), (5, 23))
    ]
    read, whole = tally.merge(*parts), weigher.root(schema.coerce(x), y)
    assert np.array_equal(read.each, whole.each)
    assert whole.counts is None if depth == 0 else np.array_equal(read.counts, whole.counts)
    assert repr(read) == "ValueNode(private)"


def test_a_label_out_of_range_is_never_counted():
    schema = complete([(0, 1)], bins=2)
    weigher = ValueWeigher(ValuedTrees(schema, depth=1), Fraction(1))
    for label in (-1, 3):
        with pytest.raises(IndexError, match="number of a public value"):
            weigher.root(np.zeros((1, 1), dtype=np.int32), np.array([label]))
