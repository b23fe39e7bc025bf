"""Interior points and histograms of a million 64-bit records, beside one sort of them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from benchmarks.harness import Row, best_of, report
from tacit.domains import Integers
from tacit.exact.entropy import SYSTEM
from tacit.mechanisms.gap_test import GapTest
from tacit.mechanisms.interior_point import InteriorPoint
from tacit.mechanisms.robust_minimum import RobustMinimum
from tacit.mechanisms.stability import StabilityHistogram
from tacit.mechanisms.stable_prefix import StablePrefix
from tacit.problems.points.frequent_item import Counts, MostFrequent
from tacit.problems.thresholds import interior_point_upper as interior_point

ROWS = 10**6
ONE, TINY = Fraction(1), Fraction(1, 10**6)


def main() -> None:
    domain = Integers(bits=64)
    records = np.random.default_rng(0).integers(0, 2**64, ROWS, dtype=np.uint64)
    few = records % np.uint64(1000)
    prefix = interior_point.stable_prefix(
        bits=64, beta=Fraction(1, 20), epsilon=ONE, delta=TINY
    ).choices
    work = {
        "interior point, pure": (InteriorPoint(domain=domain, epsilon=ONE), records),
        "interior point, stable prefix": (
            StablePrefix(domain=domain, delta=TINY, **prefix),
            records,
        ),
        "robust minimum": (RobustMinimum(domain=domain, low=9, high=999, epsilon=ONE), records),
        "most frequent, pure": (MostFrequent(domain=domain, epsilon=ONE), records),
        "stability histogram, all values differ": (
            StabilityHistogram(domain=domain, epsilon=ONE, delta=TINY),
            records,
        ),
        "stability histogram, 1000 values": (
            StabilityHistogram(domain=domain, epsilon=ONE, delta=TINY),
            few,
        ),
        "gap test": (GapTest(score=Counts(domain), epsilon=ONE, delta=TINY), records),
    }
    sort = best_of(lambda: np.sort(records))
    rows = [
        Row(name, "np.sort", best_of(lambda m=m, d=d: m._release(d, rng=SYSTEM)), sort)
        for name, (m, d) in work.items()
    ]
    report("A million 64-bit records", rows)


if __name__ == "__main__":
    main()
