"""Fair bits and uniform integers, by chi-square."""

import numpy as np
import pytest
from tests.statistical.levels import DRAWS, accepts

from tacit.checks.testing import seeded
from tacit.exact.entropy import SystemRng

SOURCES = {"seeded": lambda: seeded("uniform"), "system": SystemRng}


def _skewed(bound, factor):
    """One value ``factor`` times as likely as the others."""
    weights = [factor, *[1.0] * (bound - 1)]
    return [w / sum(weights) for w in weights]


@pytest.mark.parametrize("source", SOURCES)
def test_bytes_are_uniform(source):
    data = np.frombuffer(SOURCES[source]().bytes(4 * DRAWS), dtype=np.uint8)
    counts = np.bincount(data, minlength=256)
    assert accepts(counts, [1 / 256] * 256)
    assert not accepts(counts, _skewed(256, 1.2))
    assert not accepts(counts, _skewed(256, 0.8))


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("bound", [2, 3, 7, 10])
def test_integers_below_a_bound_are_uniform(source, bound):
    rng = SOURCES[source]()
    counts = np.zeros(bound)
    for _ in range(DRAWS // 4):
        counts[rng.below(bound)] += 1
    assert accepts(counts, [1 / bound] * bound)
    assert not accepts(counts, _skewed(bound, 1.06))
    assert not accepts(counts, _skewed(bound, 0.94))


def test_big_bounds_are_uniform_at_the_top():
    """Above 3/4 of the next power of two, taking a remainder instead would be far off."""
    bound = 3 << 98
    rng = seeded("top")
    counts = np.bincount([rng.below(bound) >> 98 for _ in range(DRAWS // 4)], minlength=3)
    assert accepts(counts, [1 / 3] * 3)
    assert not accepts(counts, [0.34, 0.33, 0.33])
    assert not accepts(counts, [1 / 2, 1 / 4, 1 / 4])


def test_successive_bytes_are_independent():
    data = np.frombuffer(seeded("pairs").bytes(2 * DRAWS), dtype=np.uint8) >> 4
    pairs = np.bincount(data[::2].astype(int) * 16 + data[1::2], minlength=256)
    assert accepts(pairs, [1 / 256] * 256)
    lagged = np.bincount(data[::2].astype(int) * 16 + data[::2], minlength=256)
    assert not accepts(lagged, [1 / 256] * 256)
