"""Tests of ``tacit.problems.thresholds.prefix_table``."""

import numpy as np
import pytest
from tests.problems.points.sanitizers_tables_cases import EIGHT

from tacit.problems.thresholds.prefix_table import monotone, spread


@pytest.mark.parametrize("seed", range(5))
def test_the_monotone_counts_err_no_more_than_the_noisy_ones(seed):
    generator = np.random.default_rng(seed)
    truth = np.sort(generator.integers(0, 100, 40))
    noisy = truth + generator.integers(-17, 18, 40)
    made = monotone(noisy, n=100)
    assert (np.diff(made) >= 0).all()
    assert np.abs(made - truth).max() <= np.abs(noisy - truth).max()


def test_a_block_stands_half_at_either_end():
    table = spread(EIGHT, [0, 4, 5], np.array([0, 6, 7]), n=12)
    assert table.rows == ((0, 3), (3, 3), (4, 1), (5, 3), (7, 2))
