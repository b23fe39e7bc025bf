"""Tests of ``tacit.exact.binomial``."""

from collections import Counter
from fractions import Fraction

import pytest
from tests.exact.sanitizers_laws_cases import SOME
from tests.tools.levels import accepts

from tacit.checks.testing import seeded
from tacit.exact.balls import ball
from tacit.exact.binomial import binomial

pytestmark = pytest.mark.statistical


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
