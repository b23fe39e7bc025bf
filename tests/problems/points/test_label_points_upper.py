"""Tests of ``tacit.problems.points.label_points_upper``."""

from fractions import Fraction as F
from itertools import pairwise
from math import ceil, exp

import pytest
from tests.problems.points.label_points_cases import ALPHA, BETA
from tests.problems.thresholds.label_thresholds_cases import _chances

from tacit.problems.points import label_points_upper as bounds

pytestmark = pytest.mark.exact


def true_failure(n, masses, *, size, epsilon, spare, alpha):
    """The target is the first value; the domain has ``size`` values, most of them of mass 0."""
    total = 0.0
    more = ceil(spare * n)
    elsewhere = size - len(masses) if masses[0] > alpha else 0
    for counts, chance in _chances(n, masses):
        weights = [c * (exp(epsilon * c) if x == 0 else 1) for x, c in enumerate(counts)]
        wrong = [x != 0 and masses[0] + masses[x] > alpha for x in range(len(masses))]
        bad = sum(w for w, b in zip(weights, wrong, strict=True) if b)
        bad += more * (sum(wrong) + elsewhere) / size
        total += chance * bad / (sum(weights) + more)
    return total


LAWS = [(0.3001, 0.6999), (0.25, 0.1, 0.65), (0.3001, 0.35, 0.3499), (0.02, 0.49, 0.49), (0.0, 1.0)]


@pytest.mark.parametrize("epsilon", [1, 2, 6])
@pytest.mark.parametrize("masses", LAWS, ids=str)
def test_the_exact_failure_is_below_beta_at_the_planned_number_and_beyond(epsilon, masses):
    size, alpha, beta = 10**6, F(3, 10), F(1, 10)
    bound = bounds.realizable(size=size, alpha=alpha, beta=beta, epsilon=F(epsilon))
    for n in (bound.n, bound.n + 1, bound.n + 7):
        chance = true_failure(
            n,
            masses,
            size=size,
            epsilon=epsilon,
            spare=bound.choices["spare"],
            alpha=float(alpha),
        )
        assert chance <= beta
    if masses[0] > alpha:
        few = true_failure(
            bound.n // 3,
            masses,
            size=size,
            epsilon=epsilon,
            spare=bound.choices["spare"],
            alpha=float(alpha),
        )
        assert few > beta


def test_the_bound_falls_with_every_record_from_the_planned_number_on():
    for epsilon in (F(1, 10), F(1), F(5)):
        bound = bounds.realizable(size=2**64, alpha=ALPHA, beta=BETA, epsilon=epsilon)
        share = 1 / (1 + bound.choices["spare"])
        chances = [
            bounds.tail(n, p=ALPHA, share=share, epsilon=epsilon)
            for n in range(bound.n, bound.n + 60)
        ]
        assert all(a > b for a, b in pairwise(chances))
        assert bound.n >= bounds.falling_from(p=ALPHA, epsilon=epsilon)
