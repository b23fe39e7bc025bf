"""Tests of ``tacit.checks.attacks.confidence``."""

import math
from fractions import Fraction as F

import numpy as np
import pytest
from scipy import stats

from tacit.checks.attacks.confidence import Counts, epsilon_below, lower, upper

pytestmark = pytest.mark.statistical


@pytest.mark.parametrize("delta", [F(0), F(1, 10)])
def test_the_bound_from_two_counts_errs_as_rarely_as_it_says(delta):
    """Exactly: all counts of 30 and 40 runs, for chances on the edge of what epsilon 1 allows."""
    level, n, m = F(1, 5), 30, 40
    bounds = {
        (x, y): float(
            epsilon_below(
                Counts(here=x, runs_here=n, there=y, runs_there=m), delta=delta, level=level
            )
        )
        for x in range(n + 1)
        for y in range(m + 1)
        if x / n > math.e * y / m
    }
    worst = 0.0
    for q in np.linspace(0.01, (1 - float(delta)) / math.e, 25):
        p = math.e * q + float(delta)
        here = stats.binom.pmf(np.arange(n + 1), n, p)
        there = stats.binom.pmf(np.arange(m + 1), m, q)
        worst = max(worst, sum(here[x] * there[y] for (x, y), e in bounds.items() if e > 1))
    assert worst <= float(level)
    assert worst > float(level) / 4, "a bound that never errs could be sharper"


def test_both_counts_together_say_more_than_an_interval_for_each():
    counts, level = Counts(here=266, runs_here=1000, there=77, runs_there=1000), F(1, 1000)
    apart = math.log(
        lower(counts.here, 1000, level=level / 2) / upper(counts.there, 1000, level=level / 2)
    )
    assert apart + 0.1 < epsilon_below(counts, delta=F(0), level=level) < math.log(266 / 77)


def test_intervals_cover_as_often_as_they_say():
    level, trials = F(1, 10), 30
    for p in (0.03, 0.2, 0.5, 0.9):
        masses = stats.binom.pmf(np.arange(trials + 1), trials, p)
        low = [float(lower(k, trials, level=level)) for k in range(trials + 1)]
        high = [float(upper(k, trials, level=level)) for k in range(trials + 1)]
        assert sum(m for m, end in zip(masses, low, strict=True) if end > p) <= 0.1
        assert sum(m for m, end in zip(masses, high, strict=True) if end < p) <= 0.1
        # and not so wide that they could not err: the level is nearly used up for some p
    assert stats.beta.ppf(0.1, 15, 16) == pytest.approx(float(lower(15, 30, level=level)), rel=1e-6)
