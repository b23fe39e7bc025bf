"""Laws with factors against brute force, fits, and the rows that are dealt from them."""

from itertools import combinations

import numpy as np
import pytest

from tacit.problems.marginals.fitting import Fitting, Measured, product_of, projected
from tacit.problems.marginals.model import Law, order_of
from tacit.problems.marginals.rows import rows_of, whole_counts

CELLS = (2, 3, 4, 3, 2)


def factors_of(seed, together):
    rng = np.random.default_rng(seed)
    return {columns: rng.normal(size=[CELLS[c] for c in columns]) for columns in together}


def joint(factors):
    logs = np.zeros(CELLS)
    for columns, factor in factors.items():
        logs = logs + factor.reshape([CELLS[c] if c in columns else 1 for c in range(5)])
    weights = np.exp(logs)
    return weights / weights.sum()


def marginal(law, columns):
    return law.sum(axis=tuple(c for c in range(5) if c not in columns))


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
    law, whole = Law(order_of(CELLS, factors), factors), joint(factors)
    found = law.pairs(range(5))
    assert set(found) == set(combinations(range(5), 2))
    for columns, table in found.items():
        assert np.allclose(table, marginal(whole, columns))
    for columns in together:
        assert np.allclose(law.marginal(columns), marginal(whole, columns))


def test_a_fit_finds_counts_that_have_no_noise():
    whole = joint(factors_of(5, [(0, 1), (1, 2), (0, 2), (3, 4)])) * 1000
    together = [(0, 1), (1, 2), (0, 2), (3, 4)]
    measured = [Measured(one, marginal(whole, one), 1e-6) for one in together]
    law = Fitting(CELLS, iterations=3000).fit(measured, total=1000, old={})
    for one in together:
        assert np.allclose(1000 * law.marginal(one), marginal(whole, one), atol=0.5)


def test_a_fit_stops_where_it_would_follow_the_noise():
    rng = np.random.default_rng(2)
    whole = joint(factors_of(5, [(0, 1), (2, 3)])) * 1000
    noisy = marginal(whole, (2, 3)) + rng.normal(0, 30, size=(4, 3))
    law = Fitting(CELLS, iterations=2000).fit([Measured((2, 3), noisy, 900.0)], total=1000, old={})
    missing = ((1000 * law.marginal((2, 3)) - noisy) ** 2).sum() / 900
    assert 0.5 * 12 < missing < 1.01 * 12


def test_impossible_cells_stay_empty():
    zero = np.zeros((2, 3), dtype=bool)
    zero[1, 2] = True
    fit = Fitting(CELLS, (((0, 1), zero),), 50)
    law = fit.fit([Measured((0,), np.array([60.0, 40.0]), 1.0)], total=100, old={})
    assert law.marginal((0, 1))[1, 2] == 0
    rows = rows_of(law, 500)
    assert not ((rows[:, 0] == 1) & (rows[:, 1] == 2)).any()
    assert np.allclose(law.marginal((0,)), [0.6, 0.4], atol=0.02)


def test_projected_counts_have_the_sum_and_are_the_nearest():
    rng = np.random.default_rng(0)
    for _ in range(50):
        counts = rng.normal(0, 10, size=6)
        found = projected(counts, total=20.0)
        assert np.isclose(found.sum(), 20)
        assert (found >= 0).all()
        other = rng.dirichlet(np.ones(6)) * 20
        assert ((found - counts) ** 2).sum() <= ((other - counts) ** 2).sum() + 1e-9


def test_independent_columns_keep_their_projected_counts():
    ones = [Measured((0,), np.array([70.0, -5.0, 30.0]), 1.0), Measured((1,), np.ones(4), 1.0)]
    law = product_of(ones, total=100)
    assert np.allclose(law.marginal((0,)) * 100, [70, 0, 30], atol=1e-6)
    rows = rows_of(law, 1000)
    assert np.bincount(rows[:, 0], minlength=3).tolist() == [700, 0, 300]
    assert np.bincount(rows[:, 1], minlength=4).tolist() == [250] * 4


def test_whole_counts_are_less_than_one_off():
    rng = np.random.default_rng(1)
    for rows in (1, 7, 1000):
        shares = rng.dirichlet(np.ones(9))
        counts = whole_counts(shares, rows)
        assert counts.sum() == rows
        assert (np.abs(counts - shares * rows) < 1).all()


def test_rows_are_far_nearer_to_the_law_than_a_sample():
    factors = factors_of(7, [(0, 1), (1, 2), (0, 2), (2, 3), (3, 4)])
    law = Law(order_of(CELLS, factors), factors)
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
