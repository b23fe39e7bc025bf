"""From noisy sums to points: the Newton step without noise, held back with it."""

import numpy as np
import pytest

from tacit.problems.tables.additive_steps import held_back, points_of_cells

pytestmark = pytest.mark.exact


def test_without_noise_every_cell_has_its_newton_step():
    """Sums so large that the noise of one unit means nothing."""
    slopes = [400_000, 900_000, 250_000, 1_600_000, 700_000]
    steps = [0.4, -0.55, 1.2, 0.05, -1.0]
    gaps = [round(step * slope) for step, slope in zip(steps, slopes, strict=True)]
    for many in range(1, 6):
        found = points_of_cells(gaps[:many], slopes[:many], usual=0.0)
        assert found == tuple(round(20 * step) for step in steps[:many])


def test_points_stay_within_their_limits():
    assert points_of_cells([10**9, -(10**9)], [0, -5], usual=1.0) == (30, -30)
    assert points_of_cells([0], [0], usual=0.0) == (0,)
    assert points_of_cells([10**18, 3], [-(10**18), 10**18], usual=2.0**48)[1] <= 30


def test_cells_that_noise_does_not_tell_apart_have_equal_points():
    """One difference of halves is far above its noise, all others are below."""
    gaps = [400, 440, 360, 400, -400, -430, -370, -400]
    points = points_of_cells(gaps, [800] * 8, usual=50.0)
    assert len(set(points[:4])) == 1
    assert len(set(points[4:])) == 1
    assert points[0] > 0 > points[4]
    assert len(set(points_of_cells(gaps, [800] * 8, usual=2.0))) > 2


def test_the_step_of_all_is_not_lost_where_halves_tell_nothing():
    assert points_of_cells([500, 500], [1000, 1000], usual=1.0) == (10, 10)
    # Slopes differ, steps do not: neither half has gaps beyond the step of both.
    assert points_of_cells([500, 2000], [1000, 4000], usual=1.0) == (10, 10)


def test_noise_alone_gives_few_points():
    """Theorem 4 on columns without any pattern: held back, noise does a fraction of its harm."""
    rng = np.random.default_rng(1)
    usual, cells, many = 100.0, 16, 400
    held, plain = 0.0, 0.0
    for _ in range(many):
        gaps = np.round(rng.normal(0, usual, cells)).astype(int)
        held += float(np.square(points_of_cells(gaps.tolist(), [2000] * cells, usual=usual)).sum())
        plain += float(np.square(20 * gaps / (2000 + usual)).sum())
    assert held < 0.6 * plain


def test_held_back_is_the_best_factor_with_the_square_for_its_mean():
    rng = np.random.default_rng(2)
    noise = rng.laplace(0, 2**-0.5, 200_000)
    for truth in (0.0, 0.5, 3.0, 10.0):
        told = truth + noise
        factor = truth**2 / (truth**2 + 1)
        losses = [np.mean((f * told - truth) ** 2) for f in (factor - 0.1, factor, factor + 0.1)]
        assert losses[1] == min(losses)
        held = np.array([held_back(one, 1.0) for one in told[:20_000].tolist()])
        if truth in (0.0, 10.0):  # where nothing, or everything, is worth telling
            assert np.mean((held - truth) ** 2) < 1.05 * np.mean(noise**2)
    assert held_back(0.0, 1.0) == held_back(1.0, 1.0) == held_back(0.0, 0.0) == 0.0
    assert held_back(-5.0, 3.0) == -5.0 * (1 - 9 / 25)
