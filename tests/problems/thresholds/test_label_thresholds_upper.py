"""Tests of ``tacit.problems.thresholds.label_thresholds_upper``."""

from fractions import Fraction as F
from math import exp

import numpy as np
import pytest
from tests.problems.thresholds.label_thresholds_cases import ALPHA, BETA, _chances

from tacit.classes import Thresholds
from tacit.problems.thresholds import label_thresholds_upper as label_thresholds
from tacit.problems.thresholds.label_thresholds import (
    one_a_gap,
)

pytestmark = pytest.mark.exact


def true_failure(n, epsilon):
    """Atoms 0, 499, 501, 1000; 1 from 500 on; a middle of a gap as its candidate."""
    values, masses = (0, 499, 501, 1000), (0.3999, 0.1001, 0.1001, 0.3999)
    base, rate, total = Thresholds(size=1001), epsilon / 2, 0.0
    rules = {}
    for counts, chance in _chances(n, masses):
        seen = tuple(v for v, c in zip(values, counts, strict=True) if c)
        if seen not in rules:
            rules[seen] = one_a_gap(base, base.domain.coerce(np.array(seen)))
        good = bad = 0.0
        for cut in rules[seen]:
            wrong = [(v >= cut) != (v >= 500) for v in values]
            weight = exp(-rate * sum(c for c, w in zip(counts, wrong, strict=True) if w))
            error = sum(m for m, w in zip(masses, wrong, strict=True) if w)
            good, bad = (good, bad + weight) if error > 0.1 else (good + weight, bad)
        total += chance * bad / (good + bad)
    return total


@pytest.mark.parametrize("epsilon", [4, 8, 20])
def test_the_planned_number_holds_where_a_gap_may_be_wrong(epsilon):
    n = label_thresholds.realizable(alpha=ALPHA, beta=BETA, epsilon=F(epsilon)).n
    assert true_failure(n, epsilon) <= 0.05
    # Without charging the empty side this many were planned.
    few = {4: 38, 8: 30, 20: 29}[epsilon]
    assert few < n
    assert true_failure(few, epsilon) > 0.05
