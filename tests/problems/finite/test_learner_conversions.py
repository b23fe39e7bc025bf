"""Tests of ``tacit.problems.finite.learner_conversions``."""

import numpy as np
import pytest
from tests.problems.thresholds.b20_utility_cases import task, too_often

from tacit import Sample, algorithms
from tacit.checks.testing import seeded
from tacit.problems.finite.learner_conversions import empirical
from tacit.problems.points.points import Points

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
