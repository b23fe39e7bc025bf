"""Stated accuracy, at exactly the stated number of records, on the worst laws we know.

Each case also fails on purpose: at a tenth of the lower bound nobody can succeed.
"""

import numpy as np
import pytest
from scipy.stats import binomtest

from tacit import Accuracy, Privacy, Sample, Task, algorithms, plan
from tacit.checks.testing import seeded
from tacit.classes import Points, Table, Thresholds

pytestmark = pytest.mark.statistical

TRIALS = 300

LEVEL = 1e-6

ALPHA, BETA = 0.1, 0.1


def task(concepts, *, epsilon=1, setting="realizable", relation="replace-one", output="any"):
    return Task(
        concepts,
        privacy=Privacy(epsilon, relation=relation),
        accuracy=Accuracy(ALPHA, BETA),
        setting=setting,
        output=output,
    )


class World:
    """A law of labelled records, and the true error of a rule under it."""

    def __init__(self, atoms, *, uniform_rest=0):
        self.points = [point for point, _, _ in atoms]
        self.masses = np.array([mass for _, mass, _ in atoms])
        self.flips = np.array([flip for _, _, flip in atoms])
        assert abs(self.masses.sum() - 1) < 1e-12

    def draw(self, n, generator, labels):
        chosen = generator.choice(len(self.points), size=n, p=self.masses)
        x = np.array(self.points, dtype=object)[chosen]
        y = np.array(labels)[chosen] ^ (generator.random(n) < self.flips[chosen])
        return Sample(x, y)

    def error(self, rule, labels):
        wrong = rule.predict(np.array(self.points, dtype=object)) ^ np.array(labels)
        return float(np.sum(self.masses * np.where(wrong, 1 - self.flips, self.flips)))


MORE = ALPHA * 1.001

"""Just above alpha: a rule that misses this much is bad."""


def point_worlds(bits):
    top = 1 << bits
    return {
        "all mass beside the point": (World([(5, MORE, 0), (0, 1 - MORE, 0)]), [True, False]),
        "spread over many values": (
            World([(5, MORE, 0)] + [(top - 1 - i, (1 - MORE) / 40, 0) for i in range(40)]),
            [True] + [False] * 40,
        ),
        "mostly positive": (World([(top - 1, 1 - MORE, 0), (3, MORE, 0)]), [True, False]),
    }


def threshold_worlds(bits):
    cut = (1 << bits) // 3
    return {
        "two atoms at the cut": (
            World([(0, 1 - 2 * MORE, 0), (cut - 1, MORE, 0), (cut, MORE, 0)]),
            [False, False, True],
        ),
        "one side only": (World([(cut, MORE, 0), (0, 1 - MORE, 0)]), [True, False]),
        "constant": (World([(7, 1.0, 0)]), [True]),
    }


def noisy(world, labels, rate):
    noisy_world = World([(p, m, rate) for p, m in zip(world.points, world.masses, strict=True)])
    return noisy_world, labels


def failures(algorithm, job, world, labels, n, *, slack=0.0, trials=TRIALS, seed=0):
    generator = np.random.default_rng(seed)
    rng = seeded(seed)
    best = world.masses @ np.minimum(world.flips, 1 - world.flips)
    mechanism = algorithm.built(job, n)
    bad = 0
    for _ in range(trials):
        rule = mechanism._release(world.draw(n, generator, labels), rng=rng)
        bad += world.error(rule, labels) > best + ALPHA + slack
    return bad


def fails_too_often(bad, trials=TRIALS):
    return binomtest(bad, trials, BETA, alternative="greater").pvalue < LEVEL


CASES = [
    ("points", Points(bits=64), point_worlds(64), {}),
    ("exponential", Points(bits=16), point_worlds(16), {}),
    ("permute-and-flip", Points(bits=16), point_worlds(16), {}),
    ("hashed-points", Points(bits=64), point_worlds(64), {}),
    ("hashed-points", Points(bits=1000), point_worlds(1000), {"relation": "add-remove"}),
    ("thresholds", Thresholds(bits=32), threshold_worlds(32), {}),
    ("thresholds", Thresholds(bits=1000), threshold_worlds(1000), {"epsilon": 2}),
    ("exponential", Thresholds(bits=32), threshold_worlds(32), {"relation": "label"}),
]


@pytest.mark.parametrize(("name", "concepts", "worlds", "more"), CASES)
def test_accurate_at_the_planned_number_of_records(name, concepts, worlds, more):
    job = task(concepts, **more)
    algorithm = next(entry for entry in algorithms(job) if entry.name == name)
    n = algorithm.bound(job).n
    trials = 40 if concepts.domain.bits > 64 else TRIALS
    for seed, (world, labels) in enumerate(worlds.values()):
        bad = failures(algorithm, job, world, labels, n, trials=trials, seed=seed)
        assert not fails_too_often(bad, trials)


@pytest.mark.parametrize(
    ("name", "concepts", "worlds"),
    [
        ("exponential", Thresholds(bits=16), threshold_worlds(16)),
        ("permute-and-flip", Points(bits=16), point_worlds(16)),
        ("hashed-points", Points(bits=64), point_worlds(64)),
    ],
)
def test_agnostic_accuracy_at_the_planned_number_of_records(name, concepts, worlds):
    job = task(concepts, setting="agnostic")
    algorithm = next(entry for entry in algorithms(job) if entry.name == name)
    n = algorithm.bound(job).n
    for seed, (world, labels) in enumerate(worlds.values()):
        bad = failures(algorithm, job, *noisy(world, labels, 0.3), n, trials=100, seed=seed)
        assert not fails_too_often(bad, 100)


def test_table_at_the_planned_number_of_records():
    table = Table(np.tri(65, 64, -1, dtype=int))
    job = task(table)
    algorithm = next(entry for entry in algorithms(job) if entry.name == "exponential")
    world, labels = World([(0, 1 - MORE, 0), (40, MORE, 0)]), [True, False]
    bad = failures(algorithm, job, world, labels, algorithm.bound(job).n)
    assert not fails_too_often(bad)


@pytest.mark.parametrize(
    ("name", "concepts", "world"),
    [
        ("points", Points(bits=64), point_worlds(64)["all mass beside the point"]),
        ("thresholds", Thresholds(bits=32), threshold_worlds(32)["two atoms at the cut"]),
    ],
)
def test_a_tenth_of_the_lower_bound_is_not_enough(name, concepts, world):
    job = task(concepts, output="proper")
    lower = max(bound.n for bound in plan(job).lower_bounds)
    algorithm = next(entry for entry in algorithms(job) if entry.name == name)
    bad = failures(algorithm, job, *world, lower // 10)
    assert binomtest(bad, TRIALS, 2 * BETA, alternative="greater").pvalue < LEVEL
