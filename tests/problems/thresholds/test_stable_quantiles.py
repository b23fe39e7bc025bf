"""Tests of ``tacit.problems.thresholds.stable_quantiles``."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from tacit.checks.testing import seeded
from tacit.domains import Integers
from tacit.mechanisms.stable_prefix import StablePrefix
from tacit.problems.thresholds import stable_quantiles

pytestmark = pytest.mark.exact


@pytest.mark.parametrize("window", [1, 2, 3, 4, 7])
def test_windows_of_fixed_size_change_by_one_record(window):
    """What stable quantiles hand to the interior point, for every change of a small part.

    The interior point itself is checked exactly where it lives; its event is for one
    substitution, so the window must not change by more.
    """
    seen = []

    class Recorder(StablePrefix):
        def _release(self, data, *, rng):
            seen.append(sorted(int(key) for key in data))
            return 0

    low, high = 3 << 64, 9 << 64
    inner = Recorder(
        domain=Integers(size=16 << 64),
        epsilon_length=1,
        epsilon_prefix=1,
        epsilon_side=1,
        delta="0.1",
        low=1,
        high=2,
    )
    mechanism = stable_quantiles.StableQuantiles(
        domain=Integers(size=16), depth=1, window=window, inner=inner
    )

    def windowed(keys):
        seen.clear()
        mechanism._cut(np.array(sorted(keys), dtype=object), low, high, rng=seeded(0))
        (found,) = seen
        assert len(found) == window
        return Counter(found)

    places = [(3 << 64) + 1, 4 << 64, 5 << 64, 6 << 64, (9 << 64) - 1]
    moved = 0
    for size in range(len(places)):
        for keys in combinations(places, size):
            before = windowed(keys)
            others = [key for key in places if key not in keys]
            changed = [(*keys, other) for other in others]
            changed += [(*keys[:i], other, *keys[i + 1 :]) for i in range(size) for other in others]
            for after in map(windowed, changed):
                assert sum((after - before).values()) <= 1
                moved += after != before
    assert moved
