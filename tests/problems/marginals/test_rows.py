"""Tests of ``tacit.problems.marginals.rows``."""

import numpy as np

from tacit.problems.marginals.rows import whole_counts


def test_whole_counts_are_less_than_one_off():
    rng = np.random.default_rng(1)
    for rows in (1, 7, 1000):
        shares = rng.dirichlet(np.ones(9))
        counts = whole_counts(shares, rows)
        assert counts.sum() == rows
        assert (np.abs(counts - shares * rows) < 1).all()
