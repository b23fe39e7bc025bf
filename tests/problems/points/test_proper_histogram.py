"""Proper points with delta: exact privacy, exact failure, and the planned records."""

from fractions import Fraction as F
from math import comb, exp

import numpy as np
import pytest
from tests.tools.long import long_ones

from tacit.audit import exact
from tacit.bounds.tails import noise_below, noisy_short
from tacit.checks.audit.branching import following
from tacit.classes import Points
from tacit.core import ADD_REMOVE, LABEL, REPLACE_ONE, Accuracy, Privacy, Sample, Task
from tacit.domains import Integers
from tacit.planner import plan
from tacit.problems.points.points import PointRule
from tacit.problems.points.proper_histogram import ProperHistogram, ProperPointsHistogram
from tacit.testing import seeded

pytestmark = pytest.mark.exact

TWO = Integers(size=2)


@pytest.mark.parametrize("relation", [REPLACE_ONE, ADD_REMOVE, LABEL])
def test_one_point_is_as_private_as_claimed(relation):
    delta = F(1, 10)
    learner = ProperHistogram(domain=TWO, epsilon=F(1), delta=delta, relation=relation)
    records = [(x, y) for x in range(2) for y in (0, 1)]
    with following():
        found = exact(learner, records, 4)
        assert not found.violated
        assert exact(learner, records, 4, epsilon=F(1, 5), delta=F(1, 10**4)).violated


@pytest.mark.parametrize("relation", long_ones([REPLACE_ONE, ADD_REMOVE], ADD_REMOVE))
def test_several_points_are_as_private_as_claimed(relation):
    learner = ProperPointsHistogram(
        domain=TWO, k=2, epsilon=F(1), delta=F(1, 10), relation=relation
    )
    records = [(x, (a, b)) for x in range(2) for a in (0, 1) for b in (0, 1)]
    with following():
        found = exact(learner, records, 2)
        assert not found.violated
        assert exact(learner, records, 2, epsilon=F(1), delta=F(1, 1000)).violated


def _chance(spare, scale):
    """``P(Z <= -spare)``, summed."""
    q = exp(-1 / scale)
    return sum((1 - q) / (1 + q) * q ** abs(z) for z in range(-400, 1 - spare))


def test_the_noise_is_summed_rightly():
    found = noise_below(F(2), limit=28, start=20, count=17)
    for k, chance in zip(range(20, 37), found, strict=True):
        assert chance == pytest.approx(_chance(k - 27, 2), rel=1e-6)
    n, p = 60, F(1, 3)
    slow = sum(
        comb(n, k) * (1 / 3) ** k * (2 / 3) ** (n - k) * _chance(k - 27, 2) for k in range(n + 1)
    )
    assert noisy_short(n=n, p=p, scale=F(2), limit=28) == pytest.approx(slow, rel=1e-6)
    assert noisy_short(n=n, p=p, scale=F(2), limit=28) >= slow


def test_the_planner_takes_it_for_proper_tasks():
    task = Task(
        Points(bits=1000),
        privacy=Privacy(1, "1e-6"),
        accuracy=Accuracy("0.1", "0.05"),
        output="proper",
    )
    assert (plan(task).best.name, plan(task).best.n) == ("points-proper-histogram", 380)
    several = plan(task.with_(k=1000, beta="0.1")).best
    assert several.name == "several-points-proper-histogram"
    assert several.n <= 431
    small = task.with_(concept_class=Points(size=4))
    assert plan(small).best.name != "points-proper-histogram"


def _fails(n, runs):
    """The target has probability 1/10 and a little; all else lies on one value."""
    learner = ProperHistogram(domain=Integers(bits=32), epsilon=F(1), delta=F(1, 10**6))
    rng, failed = np.random.default_rng(3), 0
    for run in range(runs):
        hit = rng.random(n) < 0.1001
        sample = Sample(np.where(hit, 7, 9), hit)
        failed += learner._release(sample, rng=seeded(f"one {run}")).point != 7
    return failed


def test_simulated_failure_is_at_most_beta_and_a_tenth_of_the_records_fails():
    # The bound is nearly attained here: .05 of 1500 runs, and three standard errors.
    assert _fails(380, 1500) <= 75 + 26
    assert _fails(38, 100) > 90


def test_ten_heavy_points_at_once():
    k, n, failed = 10, 430, 0
    domain = Integers(bits=32)
    learner = ProperPointsHistogram(domain=domain, k=k, epsilon=F(1), delta=F(1, 10**6))
    rng = np.random.default_rng(4)
    for run in range(300):
        x = rng.integers(0, 10, size=n)
        sample = Sample(x, x[:, None] == np.arange(k))
        rules = learner._release(sample, rng=seeded(f"ten {run}"))
        assert all(isinstance(rule, PointRule) for rule in rules)
        failed += any(rule.point != task for task, rule in enumerate(rules))
    assert failed <= 30 + 16
