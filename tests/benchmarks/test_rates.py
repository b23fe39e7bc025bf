"""AUC and calibration of the benchmark, against pairs counted one by one."""

import numpy as np
from benchmarks.real_tables.rates import auc, calibration_error
from sklearn.metrics import roc_auc_score


def test_auc_is_the_share_of_pairs_in_order():
    rng = np.random.default_rng(0)
    labels, scores = rng.random(200) < 0.3, rng.integers(0, 9, 200)
    pairs = [(a > b) + (a == b) / 2 for a in scores[labels] for b in scores[~labels]]
    assert abs(auc(labels, scores) - np.mean(pairs)) < 1e-12
    assert abs(auc(labels, scores) - roc_auc_score(labels, scores)) < 1e-12
    assert auc([1, 1], [0, 1]) == 0.5


def test_calibration_is_nothing_where_rates_are_as_stated():
    labels = np.array([0] * 9 + [1] + [1] * 8 + [0] * 2)
    chances = np.array([0.1] * 10 + [0.8] * 10)
    assert calibration_error(labels, chances) < 1e-12
    assert abs(calibration_error(labels, 1 - chances) - 0.7) < 1e-12
