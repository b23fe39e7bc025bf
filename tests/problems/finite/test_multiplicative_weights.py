"""Tests of ``tacit.problems.finite.multiplicative_weights``."""

import numpy as np
import pytest

from tacit.problems.finite.multiplicative_weights import whole_rows


@pytest.mark.parametrize("shares", [[1.0], [0.5, 0.5], [0.2, 0.3, 0.5], [1e-9, 1.0, 0.0]])
@pytest.mark.parametrize("rows", [1, 7, 100])
def test_whole_rows_add_up(shares, rows):
    counts = whole_rows(np.array(shares), rows=rows)
    assert counts.sum() == rows
    assert np.abs(counts - np.array(shares) / sum(shares) * rows).max() <= 1
