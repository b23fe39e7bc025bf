"""Tests of ``tacit.exact.indices``."""

from collections import Counter

import numpy as np
import pytest

from tacit.checks.testing import seeded
from tacit.exact.indices import uniform_indices

pytestmark = pytest.mark.exact


def test_indices_are_uniform_over_their_range():
    counts = Counter(uniform_indices(seeded(1), below=5, count=50_000).tolist())
    assert sorted(counts) == list(range(5))
    assert max(abs(count - 10_000) for count in counts.values()) < 600
    assert uniform_indices(seeded(1), below=1, count=3).tolist() == [0, 0, 0]
    assert isinstance(uniform_indices(seeded(1), below=9, count=0), np.ndarray)
