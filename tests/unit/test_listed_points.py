"""Several points, proper and pure: k and the bits are added, not multiplied."""

from fractions import Fraction as F

import numpy as np
import pytest
from scipy.stats import binomtest
from tests.statistical.levels import SIGNIFICANCE

from tacit import Accuracy, Privacy, Task, plan
from tacit.checks.testing import seeded
from tacit.classes import Points
from tacit.core import ALGORITHMS, BadInput, Relation, Sample
from tacit.exact.geometric_tails import at_least
from tacit.problems.points.listed_points import _places
from tacit.problems.points.listed_points_upper import (
    Listed,
    failure,
    listed_points,
    threshold,
)

ENTRY = ALGORITHMS["listed-points"]


def task(bits, k, *, alpha="0.1", beta="0.1", **more):
    return Task(
        Points(bits=bits),
        privacy=Privacy(1, **more),
        accuracy=Accuracy(alpha, beta),
        k=k,
        output="proper",
    )


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


def test_a_small_domain_is_refused_in_words():
    with pytest.raises(BadInput, match="too small"):
        listed_points(size=16, k=3, alpha=F(1, 10), beta=F(1, 10), epsilon=F(1))


def test_noise_alone_lists_one_value_at_most_on_average():
    for relation, epsilon in ((Relation.REPLACE_ONE, F(1, 3)), (Relation.ADD_REMOVE, F(2))):
        limit = threshold(size=2**40, epsilon=epsilon, relation=relation)
        scale = F(2 if relation is Relation.REPLACE_ONE else 1) / epsilon
        assert 2**40 * at_least(scale, limit) <= 1
        assert 2**40 * at_least(scale, limit - 1) > 1


@pytest.mark.parametrize("kind", [np.uint64, object])
def test_records_are_placed_by_what_they_equal(kind):
    cells = np.array([3, 9, 9, 0, 7], dtype=kind)
    assert _places(cells, [3, 7, 8]).tolist() == [0, 3, 3, 3, 1]
    assert _places(cells, [20]).tolist() == [1] * 5


def test_the_bound_is_not_below_the_truth_on_a_tiny_law():
    # Two values of mass 1/2, k = 1, target value 0: enumerate counts and noise by sampling.
    way_bound = listed_points(size=2**20, k=1, alpha=F(2, 5), beta=F(3, 10), epsilon=F(4))
    made = ENTRY.build(task(20, 1, alpha="0.4", beta="0.3").with_(epsilon=4), way_bound, None)
    rng, generator, failed = seeded("tiny"), np.random.default_rng(0), 0
    for _ in range(300):
        x = generator.integers(0, 2, way_bound.n)
        (rule,) = made._release(Sample(x, (x == 0)[:, None]), rng=rng).rules
        failed += rule.point != 0
    assert binomtest(failed, 300, 0.3, alternative="greater").pvalue > SIGNIFICANCE


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


def test_failure_falls_with_records():
    bound = listed_points(size=2**64, k=10, alpha=F(1, 10), beta=F(1, 10), epsilon=F(1))
    way = Listed(**bound.choices)
    asked = {"size": 2**64, "k": 10, "alpha": F(1, 10), "relation": Relation.REPLACE_ONE}
    found = [failure(n, way, **asked) for n in range(bound.n - 40, bound.n + 400, 40)]
    assert found == sorted(found, reverse=True)
    assert failure(bound.n, way, **asked) <= F(1, 10) < failure(bound.n - 1, way, **asked)
