"""Several points, proper and pure: k and the bits are added, not multiplied."""

import numpy as np
import pytest
from scipy.stats import binomtest
from tests.problems.points.listed_points_cases import ENTRY, task
from tests.tools.levels import SIGNIFICANCE

from tacit import plan
from tacit.checks.testing import seeded
from tacit.core import Sample
from tacit.problems.points.listed_points import _places


@pytest.mark.parametrize(("k", "most"), [(10, 33_912), (100, 75_560), (1000, 435_031)])
def test_the_numbers_at_1000_bits(k, most):
    best = plan(task(1000, k)).best
    assert best.name == "listed-points"
    assert best.n <= most


@pytest.mark.parametrize(("k", "most"), [(10, 6_451), (100, 36_947), (1000, 352_203)])
def test_the_numbers_at_64_bits(k, most):
    assert ENTRY.bound(task(64, k)).n <= most


def test_more_is_asked_more_is_needed():
    base = ENTRY.bound(task(64, 10)).n
    assert base < ENTRY.bound(task(200, 10)).n
    assert base < ENTRY.bound(task(64, 20)).n
    assert base < ENTRY.bound(task(64, 10, alpha="0.05")).n
    assert base < ENTRY.bound(task(64, 10, beta="0.01")).n
    assert ENTRY.bound(task(64, 10, relation="add-remove")).n < base


@pytest.mark.parametrize("kind", [np.uint64, object])
def test_records_are_placed_by_what_they_equal(kind):
    cells = np.array([3, 9, 9, 0, 7], dtype=kind)
    assert _places(cells, [3, 7, 8]).tolist() == [0, 3, 3, 3, 1]
    assert _places(cells, [20]).tolist() == [1] * 5


LAWS = {
    "nine of .1001": [0.1001] * 9,
    "one and many": [0.039, *[0.0611] * 15],
    "nineteen": [0.0501] * 19,
    "one rare": [0.1001],
}


def trial(job, masses, n, made, generator, rng):
    """Whether some task fails: targets are the listed values in turn, the rest is spread out."""
    heavy = (np.arange(len(masses), dtype=np.uint64) + np.uint64(1)) * np.uint64(1 << 50)
    places = generator.choice(len(masses) + 1, size=n, p=[*masses, 1 - sum(masses)])
    x = np.where(
        places < len(masses),
        heavy[np.minimum(places, len(masses) - 1)],
        generator.integers(0, 1 << 49, n).astype(np.uint64),
    )
    targets = [task % len(masses) for task in range(job.k)]
    y = np.column_stack([x == heavy[target] for target in targets])
    rules = made._release(Sample(x, y), rng=rng).rules
    weight = dict(zip(heavy.tolist(), masses, strict=True))
    return any(
        rule.point != int(heavy[target])
        and masses[target] + weight.get(rule.point, 0) > float(job.accuracy.alpha)
        for rule, target in zip(rules, targets, strict=True)
    )


@pytest.mark.parametrize("law", LAWS)
def test_at_the_planned_number_of_records(law):
    job = task(64, 10)
    n = ENTRY.bound(job).n
    made = ENTRY.built(job, n)
    generator, rng = np.random.default_rng(2), seeded(law)
    failed = sum(trial(job, LAWS[law], n, made, generator, rng) for _ in range(60))
    assert binomtest(failed, 60, 0.1, alternative="greater").pvalue > SIGNIFICANCE


def test_far_fewer_records_fail():
    job = task(64, 10)
    made = ENTRY.built(job, ENTRY.bound(job).n)
    generator, rng = np.random.default_rng(3), seeded("few")
    failed = sum(trial(job, LAWS["nine of .1001"], 900, made, generator, rng) for _ in range(40))
    assert binomtest(failed, 40, 0.1, alternative="greater").pvalue < SIGNIFICANCE


def test_a_wide_domain_runs():
    job = task(1000, 3)
    made = ENTRY.built(job, 4000)
    value = (1 << 900) + 5
    x = np.array([value] * 4000, dtype=object)
    rules = made._release(Sample(x, np.ones((4000, 3), dtype=bool)), rng=seeded("wide")).rules
    assert [rule.point for rule in rules] == [value] * 3
