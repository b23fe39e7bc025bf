"""Samplers and whole sanitizers draw from their stated laws; wrong parameters are rejected."""

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement
from math import exp

import numpy as np
import pytest
from tests.statistical.levels import accepts

from tacit.checks.testing import seeded
from tacit.core import Sample
from tacit.domains import Integers
from tacit.exact.balls import ball
from tacit.exact.binomial import binomial
from tacit.exact.gaussian import discrete_gaussian, discrete_gaussians
from tacit.exact.rising import rising_level
from tacit.problems.thresholds.blr_thresholds import ThresholdSelection

MANY = 300_000
SOME = 30_000


def _gauss(variance, reach):
    weights = [exp(-z * z / (2 * variance)) for z in range(-reach, reach + 1)]
    return [w / sum(weights) for w in weights]


@pytest.mark.parametrize("variance", [Fraction(1, 3), Fraction(1), Fraction(9, 2), Fraction(100)])
def test_discrete_gaussian_noise(variance):
    reach = 8 * int(float(variance) ** 0.5 + 1)
    size = 2 * reach + 1
    many = discrete_gaussians(seeded(f"gauss {variance}"), variance, MANY)
    rng = seeded(f"one {variance}")
    few = np.array([discrete_gaussian(rng, variance) for _ in range(SOME)])
    for drawn in (many, few):
        seen = np.bincount(np.clip(drawn, -reach, reach) + reach, minlength=size)
        assert accepts(seen, _gauss(float(variance), reach))
        assert not accepts(seen, _gauss(float(variance) * 0.8, reach))
        assert not accepts(seen, _gauss(float(variance) * 1.25, reach))


def _rising(counts, rate, top):
    x = exp(-rate)
    weights = [counts(t) * x**t * (1 - x) for t in range(top)] + [counts(top) * x**top]
    return [w / sum(weights) for w in weights]


@pytest.mark.parametrize("rate", [Fraction(1, 4), Fraction(3, 2)])
@pytest.mark.parametrize(
    "counts",
    [lambda t: t**3 if t > 2 else 0, lambda t: 2 ** min(t, 9), lambda t: 1, lambda t: 3**t],
    ids=["cubes", "doubling", "flat", "explosive"],
)
def test_levels_of_rising_counts(counts, rate):
    top = 12
    rng = seeded(f"rising {rate} {counts(5)}")
    seen = Counter(
        rising_level(rng, lambda t: counts(min(t, top)), rate=rate, top=top)
        for _ in range(SOME // 3)
    )
    observed = [seen[t] for t in range(top + 1)]
    law = _rising(counts, float(rate), top)
    assert accepts(observed, law)
    assert not accepts(observed, _rising(counts, float(rate) * 1.3, top))
    assert not accepts(observed, _rising(counts, float(rate) / 1.3, top))


@pytest.mark.parametrize("trials", [1, 5, 10**30])
def test_binomial_counts(trials):
    p = Fraction(2, 5) if trials < 10 else Fraction(2, 10**30)
    rng = seeded(f"binomial {trials}")
    seen = Counter(binomial(rng, trials, lambda: ball(p)) for _ in range(SOME // 3))
    from scipy import stats

    def law(mean):
        cells = range(min(trials, 12) + 1)
        if trials > 10:
            return [float(stats.poisson.pmf(k, mean)) for k in cells]
        return [float(stats.binom.pmf(k, trials, mean / trials)) for k in cells]

    observed = [seen[k] for k in range(min(trials, 12) + 1)]
    mean = float(trials * p)
    assert accepts(observed, law(mean))
    assert not accepts(observed, law(mean * 0.85))
    assert not accepts(observed, law(mean * 1.15))


def test_a_selected_table_has_the_law_of_the_exponential_mechanism():
    """End to end, with the real samplers, against a list of all tables."""
    data, size, rows = [0, 0, 1, 3, 3], 4, 2
    tables = list(combinations_with_replacement(range(size), rows))

    def law(epsilon):
        errors = [
            max(
                -(-abs(rows * sum(x <= t for x in data) - 5 * sum(z <= t for z in table)) // rows)
                for t in range(size)
            )
            for table in tables
        ]
        weights = [exp(-epsilon * error / 2) for error in errors]
        return [w / sum(weights) for w in weights]

    mechanism = ThresholdSelection(domain=Integers(size=size), rows=rows, epsilon=Fraction(1))
    sample, rng = Sample(np.array(data), None), seeded("whole tables")
    seen = Counter(
        tuple(mechanism._release(sample, rng=rng).values().tolist()) for _ in range(SOME // 2)
    )
    observed = [seen[table] for table in tables]
    assert sum(observed) == SOME // 2
    assert accepts(observed, law(1.0))
    assert not accepts(observed, law(0.8))
    assert not accepts(observed, law(1.2))
