"""Tests of ``tacit.bounds.upper.generalization``."""

from math import ceil, log

import pytest
from scipy.stats import binom
from tests.problems.several.bounds_theorems_cases import A, B

from tacit.bounds.upper import generalization

pytestmark = pytest.mark.exact


def test_convergence_bounds_hold_for_one_concept():
    n = generalization.realizable_convergence(vc=1, alpha=A, beta=B).n
    assert n == ceil(640 * (log(640) + log(80)))
    assert binom.cdf(int(0.05 * n), n, 0.1) <= 0.1
    n = generalization.agnostic_convergence(vc=1, alpha=A, beta=B).n
    assert n == ceil(6400 * (log(60) + log(80)))
    assert binom.cdf(int(0.4 * n), n, 0.5) <= 0.1
    assert generalization.without_privacy(vc=1, alpha=A, beta=B).n == 562
