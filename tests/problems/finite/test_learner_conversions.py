"""Tests of ``tacit.problems.finite.learner_conversions``."""

from fractions import Fraction as F

import numpy as np
import pytest
from tests.problems.thresholds.b20_utility_cases import task, too_often

from tacit import Sample, algorithms
from tacit.accounting.composition import total
from tacit.checks.testing import seeded
from tacit.core import (
    ALGORITHMS,
    REPLACE_ONE,
    Accuracy,
    Approximate,
    BadInput,
    Composed,
    Privacy,
    Pure,
    Selection,
    Task,
)
from tacit.problems.finite.learner_conversions import empirical, in_all
from tacit.problems.points.points import Points
from tacit.problems.several.shares import equal_share
from tacit.problems.thresholds.thresholds import Thresholds

pytestmark = pytest.mark.statistical


def test_an_empirical_learner_is_accurate_on_the_sample_itself():
    job = task(Points(bits=16), alpha=0.2)
    algorithm = empirical(next(entry for entry in algorithms(job) if entry.name == "exponential"))
    n = algorithm.bound(job).n
    mechanism = algorithm.built(job, n)
    assert mechanism.event().epsilon <= 1
    share = int(n * 0.21)
    x = np.array([9] * share + list(range(10, 10 + n - share)))
    y = np.array([1] * share + [0] * (n - share))
    rng = seeded(0)
    rules = [mechanism._release(Sample(x, y), rng=rng) for _ in range(60)]
    bad = sum(np.mean(rule.predict(x) != y) > 0.2 for rule in rules)
    assert not too_often(bad, 60)
    # Half the records: fewer draws, the same privacy.
    assert algorithm.built(job, n // 2).event().epsilon <= 1
    assert algorithm.built(job, 1).event().epsilon <= 1


@pytest.mark.parametrize("delta", ["0", "1e-6"])
@pytest.mark.parametrize(
    ("name", "family"),
    [("direct-sum", Thresholds(size=64)), ("direct-sum-hashed-points", Points(bits=32))],
)
def test_several_tasks_are_learned_on_the_sample_itself(name, family, delta):
    # BNS19 Theorem 28 speaks of k-learners: all parts together keep the task's privacy.
    task = Task(family, privacy=Privacy(1, delta), accuracy=Accuracy("0.1", "0.1"), k=5)
    algorithm = empirical(ALGORITHMS[name])
    n = algorithm.bound(task).n
    mechanism = algorithm.built(task, n)
    event = mechanism.event()
    assert event.epsilon <= 1
    assert getattr(event, "delta", 0) <= F(delta)
    inner = mechanism.inner.event()
    assert total([inner], delta=F(delta)).epsilon <= 1
    x = np.repeat([3, 9], [n // 2, n - n // 2])
    y = np.tile((x == 9)[:, None], (1, 5))
    wrong = 0
    for run in range(20):
        rules = seeded(f"several {run}").part(mechanism, Sample(x, y))
        wrong += bool((rules.predict(x) != y).mean(axis=0).max() > 0.1)
    assert wrong <= 6


@pytest.mark.parametrize("k", [2, 10, 100])
def test_what_parts_cost_together_is_not_understated(k):
    task = Task(
        Thresholds(size=64), privacy=Privacy(1, "1e-6"), accuracy=Accuracy("0.1", "0.1"), k=k
    )
    fair = equal_share(epsilon=F(1), delta=F(1, 10**6), k=k)

    def composed(each, *more):
        parts = [Selection(epsilon=each, relation=REPLACE_ONE)] * k
        return Composed(events=(*parts, *more), relation=REPLACE_ONE)

    stated = in_all(composed(fair), task)
    assert stated == Approximate(epsilon=1, delta=F(1, 10**6), relation=REPLACE_ONE)
    with pytest.raises(BadInput, match="not shown"):
        in_all(composed(fair * F(101, 100)), task)
    with pytest.raises(BadInput, match="not shown"):
        in_all(composed(fair, Pure(epsilon=F(1, 20), relation=REPLACE_ONE)), task)
    spent = Approximate(epsilon=F(1, 100), delta=F(1, 10**5), relation=REPLACE_ONE)
    with pytest.raises(BadInput, match="not shown"):
        in_all(composed(fair / 2, spent), task)
    assert in_all(Pure(epsilon=1, relation=REPLACE_ONE), task) is None
