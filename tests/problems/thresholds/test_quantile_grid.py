"""Thresholds under the uniform law: a public grid of cuts."""

from fractions import Fraction as F
from itertools import pairwise

import numpy as np
import pytest

from tacit.checks.testing import seeded
from tacit.classes import Thresholds
from tacit.core import Accuracy, BadInput, Privacy, Sample, Task
from tacit.planner import plan
from tacit.problems.thresholds.quantile_grid import QUANTILE_GRID, grid, quantile_grid

pytestmark = pytest.mark.exact


def _task(bits=32, **more):
    return Task(
        Thresholds(bits=bits),
        privacy=Privacy(1),
        accuracy=Accuracy("0.1", "0.05"),
        marginal="uniform",
        **more,
    )


def test_the_records_do_not_know_the_domain():
    for bits in (20, 32, 64, 1000):
        assert QUANTILE_GRID.bound(_task(bits)).n <= 120
    assert plan(_task()).best.n == 119
    assert QUANTILE_GRID.why_not(_task().with_(marginal="any"))
    with pytest.raises(BadInput):
        quantile_grid(values=4, alpha=F(1, 10), beta=F(1, 20), epsilon=F(1))


def test_the_sum_by_hand():
    n, steps, rate, alpha = 119, 50, 0.5, 0.1
    s, o = 1 / steps, 1 / steps / 2
    drop, rise = 1 - np.exp(-rate), np.exp(rate) - 1
    i = np.arange(0, 46)
    w = np.sum((1 - (alpha - o + i * s) * drop) ** n)
    w += np.sum((1 - (alpha + i * s) * drop + o * rise) ** n)
    assert w / (1 + w) <= 0.05
    found = quantile_grid(values=2**32, alpha=F(1, 10), beta=F(1, 20), epsilon=F(1))
    assert found.n <= 119


@pytest.mark.parametrize("orientation", [">=", "<="])
def test_cuts_are_evenly_spaced_and_in_the_class(orientation):
    base = Thresholds(size=1000, orientation=orientation)
    cuts = grid(base, 7).boundaries
    assert cuts[0] == base.first
    assert cuts[-1] == 1000
    assert all(142 <= b - a <= 144 or a <= 1 for a, b in pairwise(cuts))


def _fails(n, runs, cut):
    learner = QUANTILE_GRID.built(_task(), n)
    rng, failed = np.random.default_rng(4), 0
    for run in range(runs):
        x = rng.integers(0, 2**32, n, dtype=np.uint64)
        rule = learner._release(Sample(x, x >= cut), rng=seeded(f"grid {run}"))
        failed += abs(rule.cut - cut) > 0.1 * 2**32
    return failed


def test_simulated_failure_is_below_beta_and_a_tenth_of_the_records_fails():
    half = 2**32 // 100 * 49  # between two cuts
    assert _fails(119, 300, half) <= 15 + 11
    assert _fails(11, 100, half) > 20
