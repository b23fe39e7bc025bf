"""Covers too large to be listed: planned always, run where mistakes are counted in runs."""

from fractions import Fraction as F
from math import exp

import numpy as np
import pytest
from scipy.stats import binomtest
from tests.tools.levels import SIGNIFICANCE

from tacit import Accuracy, Privacy, Sample, Task, plan
from tacit.checks.testing import seeded
from tacit.classes import Halfspaces, Points, RealBoxes, RealThresholds
from tacit.core import ALGORITHMS
from tacit.domains import band, caps, spike, uniform_cube, uniform_sphere
from tacit.problems.reals.real_cuts import MOST_RULES, centres
from tacit.problems.reals.real_thresholds import ThresholdCover, ThresholdGrid


def task(concepts, marginal, **more):
    given = {"alpha": "0.1", "beta": "0.05", "setting": "realizable"} | more
    return Task(
        concepts,
        privacy=Privacy(1),
        accuracy=Accuracy(given["alpha"], given["beta"]),
        marginal=marginal,
        setting=given["setting"],
    )


@pytest.mark.parametrize("size", [1, 2, 7, 64, 1000])
def test_a_grid_counts_as_a_listed_cover_does(size):
    domain = RealThresholds().domain
    listed, grid = ThresholdCover(domain, centres(size)), ThresholdGrid(domain, size)
    generator = np.random.default_rng(size)
    x = np.concatenate([generator.random(60), listed.cuts[:20], [0.0, 1.0]])[:, None]
    y = generator.random(len(x)) < 0.5
    runs = grid.landscape(x, y)
    spread = np.repeat(runs.errors, runs.sizes.astype(np.int64))
    assert spread.tolist() == listed.landscape(x, y).errors.tolist()
    assert [grid.hypothesis(i) for i in range(size)] == [listed.hypothesis(i) for i in range(size)]


@pytest.mark.parametrize("size", [13, 20, 30])
def test_example_1_runs_at_the_sizes_the_paper_speaks_of(size):
    job = task(RealThresholds(), spike(F(exp(-size))))
    option = plan(job).runnable
    assert option.n < 110 * size  # O~(M), which is what Example 1 says
    made = option.algorithm.built(job, option.n)
    x = np.random.default_rng(1).random(option.n)[:, None]
    rule = made._release(Sample(x, x[:, 0] >= 0.3), rng=seeded(size))
    assert abs(rule.cut - 0.3) < 0.2


def test_example_1_at_the_planned_number():
    job = task(RealThresholds(), spike(F(exp(-20))), beta="0.1")
    option = plan(job).runnable
    assert option.bound.choices["size"] > MOST_RULES
    made, width = option.algorithm.built(job, option.n), 2 / 3 * exp(-20)
    generator, rng, failed = np.random.default_rng(2), seeded("spike"), 0
    for _ in range(100):
        x = generator.random(option.n)
        narrow = generator.random(option.n) < 0.5
        x[narrow] = 0.4 + width * x[narrow]
        target = 0.4 + width / 2
        rule = made._release(Sample(x[:, None], x >= target), rng=rng)
        away = abs(rule.cut - target)
        failed += 0.5 * away + 0.5 * min(away / width, 0.5) > 0.1
    assert binomtest(failed, 100, 0.1, alternative="greater").pvalue > SIGNIFICANCE


@pytest.mark.parametrize(
    ("concepts", "law", "most"),
    [
        (Halfspaces(columns=20), uniform_sphere(columns=20), 3005),
        (Halfspaces(columns=20), band(columns=20, gamma="0.2236"), 3228),
        (Halfspaces(columns=10), caps(columns=10, gamma="0.5"), 1963),
        (RealBoxes(columns=5), uniform_cube(columns=5), 1839),
    ],
)
def test_many_columns_are_planned_and_said_not_to_run(concepts, law, most):
    found = plan(task(concepts, law))
    assert found.best.n <= most
    assert not found.best.runs
    assert "rules" in found.best.algorithm.too_large(found.task)


def test_six_columns_run_and_the_plan_says_what_finer_covers_would_need():
    found = plan(task(Halfspaces(columns=6), uniform_sphere(columns=6)))
    assert found.best.n < found.runnable.n
    assert MOST_RULES < found.runnable.bound.choices["size"] <= Halfspaces(columns=6).runnable


def test_theorem_4_2_is_not_capped():
    any_number, capped = (ALGORITHMS[name] for name in ("random-sets-any-number", "random-sets"))
    found = {}
    for bits in (8, 64, 256, 1024):
        job = Task(Points(bits=bits), privacy=Privacy(1), accuracy=Accuracy("0.1", "0.05"))
        found[bits] = any_number.bound(job).n
        assert found[bits] <= capped.bound(job).n
        assert (any_number.too_large(job) is None) == (
            any_number.bound(job).choices["sets"] <= 1 << 20
        )
    assert list(found.values()) == sorted(found.values())
    assert found[1024] < 2 * found[8]
