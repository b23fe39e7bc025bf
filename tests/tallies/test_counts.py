"""Tests of ``tacit.tallies.counts``."""

from collections import Counter

import numpy as np
import pytest
from tests.tallies.tallies_cases import TALLIES, _batch

pytestmark = pytest.mark.property


def test_replacing_a_record_replaces_at_most_one_that_is_kept():
    tally = TALLIES["collected"]
    generator = np.random.default_rng(2)
    changed = 0
    for _ in range(200):
        records = [tuple(int(v) for v in generator.integers(0, (9, 5, 2))) for _ in range(10)]
        other = [tuple(int(v) for v in generator.integers(0, (9, 5, 2))), *records[1:]]
        kept, also = (
            Counter(map(tuple, tally.add(tally.zero(), _batch(r)).tolist()))
            for r in (records, other)
        )
        assert sum(kept.values()) == sum(also.values()) == 6
        assert sum((kept - also).values()) <= 1
        changed += kept != also
    assert changed > 20
