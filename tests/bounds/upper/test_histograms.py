"""Tests of ``tacit.bounds.upper.histograms``."""

import numpy as np
import pytest
from tests.problems.thresholds.b20_utility_cases import (
    BETA,
    DELTA,
    ONE,
    TRIALS,
    surely_fails,
    too_often,
)

from tacit.bounds.upper import histograms
from tacit.checks.testing import seeded
from tacit.domains import Integers
from tacit.mechanisms.gap_test import GapTest
from tacit.mechanisms.stability import StabilityHistogram
from tacit.problems.points.frequent_item import Counts, MostFrequent

pytestmark = pytest.mark.statistical


def test_frequent_values_at_their_gaps():
    domain = Integers(bits=64)
    gap = histograms.frequent_gap(size=domain.size, beta=BETA, epsilon=ONE).n
    often = histograms.stable_count(beta=BETA, epsilon=ONE, delta=DELTA).n
    clear = histograms.winning_gap(beta=BETA, epsilon=ONE, delta=DELTA).n
    privacy = {"epsilon": ONE, "delta": DELTA}

    def misses(mechanism, counts, found, trials=TRIALS):
        values = np.array([2**64 - 1, 7, 8], dtype=np.uint64)
        data = np.repeat(values, counts)
        return sum(not found(mechanism._release(data, rng=seeded(seed))) for seed in range(trials))

    chosen = MostFrequent(domain=domain, epsilon=ONE)
    histogram = StabilityHistogram(domain=domain, **privacy)
    tested = GapTest(score=Counts(domain), **privacy)
    cases = (
        (chosen, gap, lambda r: r == 2**64 - 1, (0, 0)),
        (chosen, gap + 30, lambda r: r == 2**64 - 1, (30, 30)),
        (histogram, often, lambda r: any(v == 2**64 - 1 for v, _ in r), (0, 5)),
        (tested, clear, lambda r: r == 2**64 - 1, (0, 0)),
        (tested, clear + 9, lambda r: r == 2**64 - 1, (9, 9)),
    )
    for mechanism, count, found, others in cases:
        assert not too_often(misses(mechanism, [count, *others], found))
        half = others[0] + (count - others[0]) // 2
        assert surely_fails(misses(mechanism, [half, *others], found))
