"""Tests of ``tacit.problems.marginals.model``."""

from itertools import combinations

import numpy as np
import pytest
from tests.problems.marginals.marginals_model_cases import CELLS, factors_of, joint, marginal

from tacit.problems.marginals.model import Law, _kept
from tacit.problems.marginals.order import order_of
from tacit.problems.marginals.rows import rows_of


@pytest.mark.parametrize(
    "together",
    [
        [(0, 1), (1, 2), (0, 2), (2, 3), (4,)],
        [(0, 1), (1, 2), (2, 3), (3, 4), (0, 4)],
        [(0,), (1,), (2,), (3,), (4,)],
        [(1, 4), (0, 4), (2, 4), (3, 4)],
        [(0, 1, 2), (2, 3)],
    ],
)
def test_all_pairs_are_those_of_the_whole_law(together):
    factors = factors_of(3, together)
    law, whole = Law.of(order_of(CELLS, factors), factors), joint(factors)
    found = law.pairs(range(5))
    assert set(found) == set(combinations(range(5), 2))
    for columns, table in found.items():
        assert np.allclose(table, marginal(whole, columns))
    for columns in together:
        assert np.allclose(law.marginal(columns), marginal(whole, columns))


def test_factors_whose_weights_are_lost_are_summed_as_logarithms():
    together = [(0, 1), (1, 2), (0, 2), (2, 3), (3, 4)]
    factors = {columns: 900 * one for columns, one in factors_of(11, together).items()}
    factors[0, 1][1] = -1e30
    law, whole = Law.of(order_of(CELLS, factors), factors), joint(factors)
    for columns, table in law.pairs(range(5)).items():
        assert np.allclose(table, marginal(whole, columns))


@pytest.mark.parametrize("axes", [[0], [53], [53, 0]])
def test_sums_have_any_number_of_axes(axes):
    values = np.arange(4.0).reshape(2, *[1] * 52, 2)
    found = {(0,): [1, 5], (53,): [2, 4], (53, 0): [[0, 2], [1, 3]]}[tuple(axes)]
    assert np.array_equal(_kept(values, axes), found)


def test_rows_are_far_nearer_to_the_law_than_a_sample():
    factors = factors_of(7, [(0, 1), (1, 2), (0, 2), (2, 3), (3, 4)])
    law = Law.of(order_of(CELLS, factors), factors)
    rows = rows_of(law, 4000)
    assert np.array_equal(rows, rows_of(law, 4000))
    found = law.pairs(range(5))

    def distance(cells):
        far = []
        for (a, b), table in found.items():
            counts = np.zeros(table.shape)
            np.add.at(counts, (cells[:, a], cells[:, b]), 1)
            far.append(0.5 * np.abs(counts / len(cells) - table).sum())
        return np.mean(far)

    drawn = np.random.default_rng(0).choice(
        joint(factors).size, size=4000, p=joint(factors).ravel()
    )
    sample = np.stack(np.unravel_index(drawn, CELLS), axis=1)
    assert distance(rows) < 0.5 * distance(sample)
