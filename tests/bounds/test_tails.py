"""Tests of ``tacit.bounds.tails``."""

from fractions import Fraction as F
from math import comb, exp

import numpy as np
import pytest

from tacit.bounds.tails import SLACK, binomial, fading

pytestmark = pytest.mark.exact


@pytest.mark.parametrize(
    ("n", "p"), [(1, F(1, 2)), (50, F(1, 10)), (400, F(9, 10)), (10**5, F(1, 1000))]
)
def test_binomial_windows(n, p):
    window = binomial(n, p)
    for i in range(0, len(window.weights), max(1, len(window.weights) // 20)):
        k = window.start + i
        truth = comb(n, k) * p**k * (1 - p) ** (n - k)
        got = F(float(window.weights[i]))
        assert got / F(SLACK) <= truth <= got * F(SLACK)
    assert float(window.weights.sum()) + window.missing >= 1 - 1e-8
    assert window.missing < 1e-9


def test_fading_never_falls_short():
    table = fading(log_size=F(10), rate=F(1, 3), start=0, count=200)
    truth = [exp(10 - k / 3) for k in range(200)]
    assert np.allclose(table, truth, rtol=1e-9)
    assert fading(log_size=F(10**4), rate=F(1, 3), start=0, count=3).tolist() == [np.inf] * 3
    assert (fading(log_size=F(0), rate=F(1), start=10**4, count=3) > 0).all()
