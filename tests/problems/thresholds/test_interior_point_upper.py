"""Stated accuracy at exactly the stated number of records, on data made to break it.

The same failures are also shown to come where they must: far below the stated number.
"""

import numpy as np
import pytest
from tests.problems.thresholds.b20_utility_cases import (
    ALPHA,
    BETA,
    DELTA,
    ONE,
    TRIALS,
    surely_fails,
    task,
    too_often,
)

from tacit import Sample, algorithms
from tacit.checks.testing import seeded
from tacit.domains import Integers
from tacit.mechanisms.interior_point import InteriorPoint
from tacit.mechanisms.robust_minimum import RobustMinimum
from tacit.mechanisms.stable_prefix import StablePrefix, StableRobustMinimum
from tacit.problems.finite.listed import Table
from tacit.problems.one_way.sequences import OneWaySequences
from tacit.problems.parities.parities import Parities
from tacit.problems.points.points import Points
from tacit.problems.thresholds import interior_point_upper as interior_point
from tacit.problems.thresholds.thresholds import Thresholds

pytestmark = pytest.mark.statistical

MORE = ALPHA * 1.001


def data_families(bits, n):
    top = (1 << bits) - 1
    half = 1 << (bits - 1)
    return {
        "constant": [top] * n,
        "two neighbours in value, far apart in prefix": [half - 1] * (n // 2)
        + [half] * (n - n // 2),
        "one apart": [0] + [top] * (n - 1),
        "half spread, half alike": [half + 3] * (n // 2)
        + [(i * 0x9E3779B97F4A7C15 << max(0, bits - 64)) % top for i in range(n - n // 2)],
        "every prefix length": [(1 << (i * (bits - 1) // n)) for i in range(n)],
    }


def interior(mechanism, bits, n, trials=TRIALS):
    """The largest number of failures over the families."""
    worst = 0
    for seed, data in enumerate(data_families(bits, n).values()):
        rng = seeded(seed)
        cells = np.array(data, dtype=object)
        answers = [mechanism._release(cells, rng=rng) for _ in range(trials)]
        worst = max(worst, sum(not min(data) <= r <= max(data) for r in answers))
    return worst


def test_interior_point_pure():
    size = 1 << 64
    n = interior_point.pure(size=size, beta=BETA, epsilon=ONE).n
    mechanism = InteriorPoint(domain=Integers(size=size), epsilon=ONE)
    assert not too_often(interior(mechanism, 64, n))
    assert surely_fails(interior(mechanism, 64, n * 3 // 4))


@pytest.mark.parametrize("bits", [64, 300])
def test_interior_point_by_a_stable_prefix(bits):
    bound = interior_point.stable_prefix(bits=bits, beta=BETA, epsilon=ONE, delta=DELTA)
    mechanism = StablePrefix(domain=Integers(bits=bits), delta=DELTA, **bound.choices)
    assert not too_often(interior(mechanism, bits, bound.n, trials=60), 60)
    assert surely_fails(interior(mechanism, bits, bound.n // 10, trials=60), 60)
    if bits == 300:
        assert bound.n < interior_point.pure(size=1 << bits, beta=BETA, epsilon=ONE).n


def robust(answers, data, low, high):
    return sum(
        not (sum(x <= r for x in data) >= low and sum(x < r for x in data) <= high) for r in answers
    )


def test_robust_minimum():
    bits, low = 32, 5
    domain = Integers(bits=bits)
    high = low + interior_point.rank_window(size=domain.size, beta=BETA, epsilon=ONE)
    mechanism = RobustMinimum(domain=domain, low=low, high=high, epsilon=ONE)
    bound = interior_point.stable_prefix(bits=bits, beta=BETA, epsilon=ONE, delta=DELTA)
    inner = StablePrefix(domain=domain, delta=DELTA, **bound.choices)
    stable = StableRobustMinimum(inner=inner, low=low, high=low + bound.n - 1)
    n = (low + high + 1) // 2
    for m, least in ((mechanism, n), (stable, low + bound.n - 1)):
        for seed, data in enumerate(data_families(bits, least).values()):
            rng = seeded(seed)
            cells = np.array(data, dtype=object)
            answers = [m._release(cells, rng=rng) for _ in range(60)]
            assert not too_often(robust(answers, data, m.low, m.high), 60)
    narrow = RobustMinimum(domain=domain, low=low, high=low + 10, epsilon=ONE)
    data = [1 << 20] * n
    answers = [narrow._release(np.array(data), rng=seeded(i)) for i in range(60)]
    assert surely_fails(robust(answers, data, low, low + 10), 60)


def failures(job, name, draw, error, *, n=None, trials=TRIALS, seed=0):
    """How often the rule errs by more than alpha; ``draw(n, generator)`` gives a sample."""
    algorithm = next(entry for entry in algorithms(job) if entry.name == name)
    n = algorithm.bound(job).n if n is None else n
    mechanism = algorithm.built(job, n)
    generator, rng = np.random.default_rng(seed), seeded(seed)
    rules = (mechanism._release(draw(n, generator), rng=rng) for _ in range(trials))
    return sum(error(rule) > job.accuracy.alpha for rule in rules)


def atoms(points, masses, labels):
    """A distribution on a few points: how to draw from it, and the error of a rule."""
    points, masses, labels = np.array(points, dtype=object), np.array(masses), np.array(labels)

    def draw(n, generator):
        chosen = generator.choice(len(points), size=n, p=masses)
        return Sample(points[chosen], labels[chosen])

    return draw, lambda rule: float(masses[rule.predict(points) != labels].sum())


def one_way_worlds(concepts, seed):
    leaves = concepts.tree.leaves
    marked = [concepts.record(i, seed) for i in range(leaves)]
    ones = [record for record, label in marked if label]
    zero = next(x for x in range(99) if not concepts.hypothesis(seed).predict([x])[0])
    early = [ones[0], *ones[1:], zero]
    rest = 1 - MORE
    k = len(ones)
    return {
        "barely worth learning": atoms([ones[0], zero], [MORE, rest], [1, 0]),
        "all at the first step": atoms(early, [MORE] + [rest / k] * k, [1] * k + [0]),
        "two thin halves": atoms([ones[0], ones[-1], zero], [MORE / 2, MORE / 2, rest], [1, 1, 0]),
        "every step": atoms(ones, [1 / k] * k, [1] * k),
    }


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("one-way-sequences", {}),
        ("one-way-sequences", {"relation": "label"}),
        ("one-way-sequences-stable", {"delta": DELTA}),
        ("one-way-sequences-stable", {"delta": DELTA, "relation": "add-remove"}),
    ],
)
def test_one_way_sequences(name, more):
    concepts = OneWaySequences(bits=25)
    job = task(concepts, **more)
    for seed, (draw, error) in enumerate(one_way_worlds(concepts, 5).values()):
        assert not too_often(failures(job, name, draw, error, trials=60, seed=seed), 60)
    draw, error = one_way_worlds(concepts, 5)["every step"]
    assert surely_fails(failures(job, name, draw, error, n=60, trials=60), 60)


def test_one_way_sequences_with_real_seeds():
    concepts = OneWaySequences(index_bits=6, seed_bits=128)
    job = task(concepts, delta=DELTA)
    draw, error = one_way_worlds(concepts, 2**127 + 12345)["every step"]
    bad = failures(job, "one-way-sequences-stable", draw, error, trials=8)
    assert bad <= 4


def surprise_worlds(point, others):
    rest = 1 - MORE
    return {
        "barely worth learning": atoms([point, others[0]], [MORE, rest], [1, 0]),
        "spread": atoms(
            [point, *others], [MORE] + [rest / len(others)] * len(others), [1] + [0] * len(others)
        ),
        "always": atoms([point], [1.0], [1]),
    }


@pytest.mark.parametrize("relation", ["replace-one", "add-remove", "label"])
def test_littlestone_one_on_points(relation):
    job = task(Points(bits=1000), delta=DELTA, relation=relation)
    worlds = surprise_worlds(2**999 + 1, list(range(20)))
    for seed, (draw, error) in enumerate(worlds.values()):
        assert not too_often(failures(job, "littlestone-one", draw, error, seed=seed))
    draw, error = worlds["barely worth learning"]
    assert surely_fails(failures(job, "littlestone-one", draw, error, n=150))


def test_littlestone_one_on_a_table():
    rows = np.ones((40, 40), dtype=int) - np.eye(40, dtype=int)
    job = task(Table(rows), delta=DELTA)
    rest = 1 - MORE
    worlds = [
        atoms([3, 4], [MORE, rest], [0, 1]),
        atoms([3, *range(4, 40)], [MORE] + [rest / 36] * 36, [0] + [1] * 36),
        atoms([7], [1.0], [0]),
    ]
    for seed, (draw, error) in enumerate(worlds):
        assert not too_often(failures(job, "littlestone-one", draw, error, seed=seed))


def parity_world(bits, mask):
    def draw(n, generator):
        rows = generator.integers(0, 2, size=(n, bits))
        chosen = np.array([mask >> (bits - 1 - i) & 1 for i in range(bits)])
        return Sample(rows, rows @ chosen % 2)

    return draw, lambda rule: 0.5 * (rule.mask != mask)


@pytest.mark.parametrize(
    ("name", "bits", "more"),
    [
        ("parity-votes", 24, {"delta": DELTA}),
        ("parity-elimination", 24, {}),
        ("parity-elimination", 100, {"relation": "label"}),
        ("parity-selection", 10, {}),
    ],
)
def test_parities_under_the_uniform_marginal(name, bits, more):
    job = task(Parities(bits=bits), marginal="uniform", **more)
    trials = 40
    for seed, mask in enumerate((0, (1 << bits) - 1, 0x5A5A5A5A5A % (1 << bits))):
        draw, error = parity_world(bits, mask)
        assert not too_often(failures(job, name, draw, error, trials=trials, seed=seed), trials)
    assert surely_fails(failures(job, name, draw, error, n=bits // 2, trials=trials), trials)


def test_parities_under_any_marginal():
    bits = 12
    job = task(Parities(bits=bits))
    mask = 0b101100111000
    units = [1 << i for i in range(bits)]
    dense = list(range(1, 64))
    for seed, (points, masses) in enumerate(
        (
            (units, [1 / bits] * bits),
            ([1 << 5, 0], [MORE, 1 - MORE]),
            (dense, [1 / len(dense)] * len(dense)),
        )
    ):
        labels = [(mask & x).bit_count() & 1 for x in points]
        draw, error = atoms(points, masses, labels)
        bad = failures(job, "parity-elimination", draw, error, trials=40, seed=seed)
        assert not too_often(bad, 40)


@pytest.mark.parametrize("name", ["empirical-selection", "resampled-selection"])
def test_conversions_keep_their_promise(name):
    job = task(Thresholds(bits=8), alpha=0.25)
    more = 0.2501
    worlds = (
        atoms([0, 99, 100], [1 - 2 * more, more, more], [0, 0, 1]),
        atoms([100, 0], [more, 1 - more], [1, 0]),
        atoms([7], [1.0], [1]),
    )
    for seed, (draw, error) in enumerate(worlds):
        assert not too_often(failures(job, name, draw, error, trials=40, seed=seed), 40)
