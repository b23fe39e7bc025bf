"""Tests of ``tacit.exact.rising``."""

from collections import Counter
from fractions import Fraction
from math import exp

import pytest
from tests.exact.sanitizers_laws_cases import SOME
from tests.tools.levels import accepts

from tacit.checks.testing import seeded
from tacit.exact.rising import rising_level

pytestmark = pytest.mark.statistical


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
