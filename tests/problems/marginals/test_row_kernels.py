"""Tests of ``tacit.problems.marginals.row_kernels`` against plain numpy."""

import numpy as np
import pytest

from tacit.problems.marginals.row_kernels import deal, keys_of, order_by, spread_inside


@pytest.fixture
def cells():
    return np.random.default_rng(3).integers(0, 5, (3, 400)).astype(np.int32)


def test_keys_sort_by_the_first_column_first(cells):
    keys = keys_of(cells, np.array([2, 0]), np.array([5, 5]))
    assert np.array_equal(keys, 5 * cells[2] + cells[0])
    assert not keys_of(cells, np.array([], dtype=np.int64), np.array([], dtype=np.int64)).any()


@pytest.mark.parametrize("most", [0, 1, 2047, 2048, 1 << 40, 1 << 61])
def test_rows_are_sorted_and_equal_ones_stay(most):
    keys = np.random.default_rng(4).integers(0, most + 1, 3000)
    keys[::7] = most
    order, sorted_keys = order_by(keys, most)
    assert np.array_equal(order, np.argsort(keys, kind="stable"))
    assert np.array_equal(sorted_keys, np.sort(keys))


def test_values_are_dealt_where_the_ends_pass_the_numbers(cells):
    draw = np.random.default_rng(5)
    keys = keys_of(cells, np.array([0, 1]), np.array([5, 5]))
    order, sorted_keys = order_by(keys, 24)
    ends = np.cumsum(draw.dirichlet(np.ones(4), 5), axis=1)
    ends[2] = (0.0, 0.0, 1.0, 1.0)  # values that cannot be
    dealt = np.full(400, -1, dtype=np.int32)
    deal(order, sorted_keys, 5, ends, dealt)
    numbers = ((np.arange(400) + 0.5) * (5**0.5 - 1) / 2) % 1.0
    wanted = (ends[cells[0][order], :-1] <= numbers[:, None]).sum(axis=1)
    assert np.array_equal(dealt[order], wanted)
    assert set(dealt[cells[0] == 2]) == {2}


def test_rows_of_one_place_fill_it_evenly(cells):
    widths = np.array([1.0, 2.0, 7.0, 100.0, 1e15])
    steps = spread_inside(cells[0], widths)
    for row in range(400):
        place = cells[0][row]
        rank = (cells[0][:row] == place).sum()
        share = ((rank + 0.5) * (5**0.5 - 1) / 2) % 1.0
        assert steps[row] == min(np.floor(share * widths[place]), widths[place] - 1)
    assert set(steps[cells[0] == 2]) == set(range(7))
