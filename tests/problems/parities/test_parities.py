"""All k rules good at once, at exactly the planned records."""

import numpy as np
import pytest
from scipy.stats import binomtest

from tacit import Accuracy, Privacy, Sample, Task, algorithms, plan
from tacit.checks.testing import seeded
from tacit.classes import Points, Thresholds
from tacit.problems.parities.parities import Parities

pytestmark = pytest.mark.statistical

LEVEL = 1e-6

BETA = 0.1


def task(concepts, k, **more):
    given = {"privacy": Privacy(1, "1e-6"), "accuracy": Accuracy("0.1", "0.1")} | more
    return Task(concepts, k=k, **given)


def named(job, name):
    return next(entry for entry in algorithms(job) if entry.name == name)


def not_too_many(bad, trials):
    return binomtest(bad, trials, BETA, alternative="greater").pvalue >= LEVEL


def point_failures(name, k, *, n=None, trials=20, **more):
    """Ten values of probability just above alpha: every one must be found."""
    job = task(Points(bits=64), k, **more)
    algorithm = named(job, name)
    records = algorithm.bound(job).n if n is None else n
    generator, rng = np.random.default_rng(k), seeded(k)
    values = np.arange(9, dtype=np.uint64) * np.uint64(10**18)
    mechanism = algorithm.built(job, records)
    bad = 0
    for _ in range(trials):
        targets = generator.integers(0, 9, k)
        drawn = generator.integers(0, 9, records)
        rules = mechanism._release(Sample(values[drawn], drawn[:, None] == targets), rng=rng)
        wrong = rules.predict(values) ^ (np.arange(9)[:, None] == targets)
        bad += bool(np.any(wrong.mean(axis=0) > 0.1))
    return bad


@pytest.mark.parametrize("k", [2, 10, 100, 1000])
def test_points_by_one_histogram(k):
    assert not_too_many(point_failures("points-histogram", k), 20)


def test_points_by_one_histogram_fail_with_too_few_records():
    assert point_failures("points-histogram", 10, n=60) >= 18


@pytest.mark.parametrize("k", [2, 10, 100])
def test_hashed_points_side_by_side(k):
    assert not_too_many(point_failures("direct-sum-hashed-points", k, trials=4), 4)


def test_points_and_parities_cost_the_same_for_any_k():
    few, many = (plan(task(Points(bits=64), k)) for k in (100, 10_000))
    assert few.best.n == many.best.n
    assert few.best.name == many.best.name == "several-points-proper-histogram"
    few, many = (plan(task(Parities(bits=64), k, marginal="uniform")) for k in (2, 10_000))
    assert few.runnable.n == many.runnable.n
    assert few.runnable.name == many.runnable.name == "parities-vote"


def test_thresholds_cost_more_for_more_tasks():
    sizes = [plan(task(Thresholds(bits=16), k)).best.n for k in (2, 10, 100, 1000)]
    assert sizes == sorted(set(sizes))


@pytest.mark.parametrize(("k", "trials"), [(2, 12), (30, 4)])
def test_thresholds_side_by_side(k, trials):
    job = task(Thresholds(bits=32), k)
    algorithm = named(job, "direct-sum")
    n = algorithm.bound(job).n
    generator, rng = np.random.default_rng(k), seeded(k)
    mechanism = algorithm.built(job, n)
    bad = 0
    for _ in range(trials):
        cuts = generator.integers(0, 2**32, k)
        x = generator.integers(0, 2**32, n)
        rules = mechanism._release(Sample(x, x[:, None] >= cuts), rng=rng)
        test = generator.integers(0, 2**32, 20_000)
        wrong = (rules.predict(test) ^ (test[:, None] >= cuts)).mean(axis=0)
        bad += bool(np.any(wrong > 0.1))
    assert not_too_many(bad, trials)


@pytest.mark.parametrize("k", [2, 10, 1000])
def test_parities_by_votes(k):
    job = task(Parities(bits=32), k, marginal="uniform")
    algorithm = named(job, "parities-vote")
    n = algorithm.bound(job).n
    generator, rng = np.random.default_rng(k), seeded(k)
    trials = 12 if k < 1000 else 3
    bad = 0
    for _ in range(trials):
        features = generator.integers(0, 2, (n, 32))
        masks = generator.integers(0, 2, (32, k))
        labels = features @ masks % 2 == 1
        rules = algorithm.built(job, n)._release(Sample(features == 1, labels), rng=rng)
        wanted = [int("".join(map(str, mask)), 2) for mask in masks.T]
        bad += [rule.mask for rule in rules] != wanted
    assert not_too_many(bad, trials)


def test_parities_by_votes_fail_with_too_few_records():
    job = task(Parities(bits=32), 2, marginal="uniform")
    algorithm = named(job, "parities-vote")
    n = algorithm.bound(job).n // 10
    generator, rng = np.random.default_rng(5), seeded(5)
    features = generator.integers(0, 2, (n, 32))
    labels = features @ np.ones((32, 2), dtype=int) % 2 == 1
    rules = [
        algorithm.built(job, n)._release(Sample(features == 1, labels), rng=rng)[0].mask
        for _ in range(20)
    ]
    assert sum(mask == 2**32 - 1 for mask in rules) <= 2
