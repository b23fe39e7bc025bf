"""Tests of ``tacit.problems.points.point_sanitizers``."""

from fractions import Fraction

import numpy as np
import pytest
from tests.problems.points.sanitizers_privacy_cases import check, laws

from tacit.classes import Points, Table, Thresholds
from tacit.domains import Integers
from tacit.mechanisms import stability
from tacit.problems.finite import multiplicative_weights
from tacit.problems.points import sparse_histogram
from tacit.problems.points.point_sanitizers import PointTable
from tacit.problems.thresholds import blr_thresholds

pytestmark = pytest.mark.exact


@pytest.mark.parametrize(("size", "n", "rows"), [(3, 2, 2), (4, 3, 2), (2, 4, 3), (5, 2, 1)])
def test_selected_threshold_tables(size, n, rows):
    mechanism = blr_thresholds.ThresholdSelection(domain=Integers(size=size), rows=rows, epsilon=2)
    found = laws(mechanism, size, n)
    check(found, size, n, epsilon=mechanism.event().epsilon)


@pytest.mark.parametrize("alpha", [Fraction(1, 3), Fraction(9, 10)])
def test_pure_point_tables(alpha):
    epsilon = Fraction(6)
    histogram = sparse_histogram.SparseHistogram(
        domain=Integers(size=3), epsilon=epsilon, threshold=1
    )
    table = PointTable(histogram=histogram, domain=Integers(size=3), n=2, alpha=alpha)
    found = laws(table, 3, 2)
    check(found, 3, 2, epsilon=epsilon)


def test_stable_point_tables():
    epsilon, delta = Fraction(4), Fraction(1, 50)
    domain = Integers(size=3)
    histogram = stability.StabilityHistogram(domain=domain, epsilon=epsilon, delta=delta)
    table = PointTable(histogram=histogram, domain=domain, n=2, alpha=Fraction(1, 3))
    found = laws(table, 3, 2)
    check(found, 3, 2, epsilon=epsilon, delta=delta)


@pytest.mark.parametrize(
    "concepts",
    [
        Thresholds(size=2),
        pytest.param(Points(size=3), marks=pytest.mark.long),
        Table(np.array([[0, 1, 1], [1, 1, 0]])),
    ],
    ids=["thresholds", "points", "table"],
)
def test_multiplicative_weights(concepts):
    """Two rounds, the fewest of which anything is seen: the average begins with no weights."""
    mechanism = multiplicative_weights.WeightedTable(
        concepts=concepts, rounds=2, rows=64, epsilon=Fraction(8)
    )
    size = concepts.domain.size
    found = laws(mechanism, size, 2)
    check(found, size, 2, epsilon=mechanism.event().epsilon)
