"""Tests of ``tacit.problems.points.sparse_histogram``."""

from fractions import Fraction

import numpy as np
import pytest
from tests.problems.points.sanitizers_privacy_cases import _bins
from tests.tools.sanitizer_laws import Paths, law_of_mechanism

from tacit.domains import Integers
from tacit.exact.balls import at, ball
from tacit.problems.points import sparse_histogram

pytestmark = pytest.mark.exact


def test_the_sparse_histogram_is_the_full_one():
    """Drawing risen empty bins directly has the law of noise on every bin."""
    scale, threshold = Fraction(1, 2), 1
    histogram = sparse_histogram.SparseHistogram(
        domain=Integers(size=3), epsilon=Fraction(4), threshold=threshold
    )
    fast, _ = law_of_mechanism(histogram, np.array([1, 1]), seen=_bins)

    def full(paths):
        noisy = [count + paths.geometric(scale) for count in (0, 2, 0)]
        return tuple((x, c) for x, c in enumerate(noisy) if c >= threshold)

    slow, _ = Paths().run(full)
    with at(256):
        for bins in set(fast) | set(slow):
            gap = fast.get(bins, ball(0)) - slow.get(bins, ball(0))
            assert abs(gap) < ball(Fraction(1, 10**10))
