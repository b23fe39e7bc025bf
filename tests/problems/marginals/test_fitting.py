"""Laws with factors against brute force, fits, and the rows that are dealt from them."""

import numpy as np
from tests.problems.marginals.marginals_model_cases import CELLS, factors_of, joint, marginal

from tacit.problems.marginals.fitting import Fitting, Measured, product_of, projected
from tacit.problems.marginals.rows import rows_of


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


def test_counts_measured_twice_are_fitted_as_their_mean():
    rng = np.random.default_rng(4)
    whole = marginal(joint(factors_of(6, [(0, 1)])) * 1000, (0, 1))
    twice = [Measured((0, 1), whole + rng.normal(0, 2, (2, 3)), v) for v in (4.0, 12.0)]
    mean = 0.75 * twice[0].counts + 0.25 * twice[1].counts
    law = Fitting(CELLS, iterations=3000).fit(twice, total=mean.sum(), old={})
    missing = ((mean.sum() * law.marginal((0, 1)) - mean) ** 2).sum() / 3  # its variance
    assert missing <= 1.01 * 0.87 * 6


def test_a_pair_is_fitted_though_many_single_columns_fit_better_than_the_truth_would():
    cells = (2, 2, *[16] * 20)
    singles = [Measured((c,), np.full(k, 1000 / k), 900.0) for c, k in enumerate(cells)]
    start = product_of(singles, total=1000)
    pair = Measured((0, 1), np.array([[400.0, 100], [100, 400]]), 900.0)
    missing = ((250 - pair.counts) ** 2).sum() / 900
    assert missing < 0.87 * (4 + sum(cells))  # what all counts together are expected to miss by
    law = Fitting(cells).fit([*singles, pair], total=1000, old=start.factors)
    assert ((1000 * law.marginal((0, 1)) - pair.counts) ** 2).sum() / 900 <= 4 + 8**0.5


def test_impossible_cells_stay_empty():
    zero = np.zeros((2, 3), dtype=bool)
    zero[1, 2] = True
    fit = Fitting(CELLS, (((0, 1), zero),), 50)
    law = fit.fit([Measured((0,), np.array([60.0, 40.0]), 1.0)], total=100, old={})
    assert law.marginal((0, 1))[1, 2] == 0
    rows = rows_of(law, 500)
    assert not ((rows[:, 0] == 1) & (rows[:, 1] == 2)).any()
    assert np.allclose(law.marginal((0,)), [0.6, 0.4], atol=0.02)


def test_a_small_sum_is_not_lost_beside_large_noise():
    counts = np.array([3e18, -1e18, 2e18, 1e17])
    assert projected(counts, total=1.0).tolist() == [1, 0, 0, 0]
    assert projected(np.full(4, 1e300), total=2.0).tolist() == [0.5] * 4


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
