"""Tests of ``tacit.problems.tables.shared_weights``."""

from fractions import Fraction

import numpy as np
import pytest
from tests.complete import complete
from tests.problems.tables.shared_cases import computed, stated

from tacit.exact.balls import at, ball
from tacit.problems.tables.shared_weights import SharedWeigher, lost
from tacit.problems.tables.trees import Trees

pytestmark = pytest.mark.exact

TINY = complete([(0, 1), ("a", "b", "c")], bins=2)


def data(schema, seed, n, k):
    rng = np.random.default_rng(seed)
    cells = np.stack([rng.integers(0, size, n) for size in schema.cells], axis=1)
    return cells.astype(np.int32), rng.integers(-1, 2, (n, k))


@pytest.mark.parametrize("depth", [0, 1, 2])
@pytest.mark.parametrize("k", [1, 3])
def test_the_law_is_the_stated_one(depth, k):
    trees, rate = Trees(TINY, depth=depth), Fraction(2, 3)
    cells, marks = data(TINY, 20 + 10 * k + depth, 9, k)
    weigher = SharedWeigher(trees, rate)
    with at(256):
        wanted = stated(trees, rate, cells, marks)
        found = computed(weigher, weigher.root(cells, marks), depth)
        assert found.keys() == wanted.keys()
        assert all(abs(found[t] - mass) < ball(Fraction(1, 10**60)) for t, mass in wanted.items())
        other = stated(trees, Fraction(1), cells, marks)
        moved = any(abs(other[t] - mass) > ball(Fraction(1, 1000)) for t, mass in wanted.items())
        assert moved == (depth > 0)


@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize(("n", "k"), [(0, 2), (1, 3), (60, 5), (2000, 2)])
def test_float_weights_stay_within_their_proved_error(depth, n, k):
    schema = complete([(0, 1), ("a", "b", "c"), bool], bins=4)
    rate = Fraction(1, 7)
    weigher = SharedWeigher(Trees(schema, depth=depth), rate)
    root = weigher.root(*data(schema, depth, n, k))
    m, z = weigher.choices(root, depth)
    bound = Fraction(weigher.relative_error(depth))
    assert bound < Fraction(1, 10**9)
    with at(400):
        trues = list(weigher.balls(root, depth))
        assert len(trues) == len(m) > 1
        for missed, value, true in zip(m.tolist(), z.tolist(), trues, strict=True):
            ratio = ball(Fraction(value)) * (-ball(rate) * missed).exp() / true
            assert abs(ratio - 1) < ball(bound)


def test_what_is_lost_is_twice_the_mistakes_and_once_what_is_left_out():
    assert lost(np.array([3 - 1, 4 - 0, 0, 4])) == 2 * 1 + 0 + 4


def test_nodes_tell_nothing_and_records_out_of_bounds_are_refused():
    weigher = SharedWeigher(Trees(TINY, depth=1), Fraction(1))
    cells, marks = data(TINY, 1, 4, 2)
    assert repr(weigher.root(cells, marks)) == "SharedNode(private)"
    with pytest.raises(IndexError, match="public cells"):
        weigher.root(cells + 5, marks)
    with pytest.raises(IndexError, match="one row per record"):
        weigher.root(cells, marks[:-1])
