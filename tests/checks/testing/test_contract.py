"""Tests of ``tacit.checks.testing.contract``."""

import numpy as np
import pytest

from tacit.checks.testing.contract import check_mechanism
from tacit.classes import Parities, Points
from tacit.core import Sample
from tacit.domains import Integers
from tacit.problems.finite.blr_enumerated import EnumeratedSelection
from tacit.problems.finite.fitted_histogram import FittedHistogram
from tacit.problems.finite.multiplicative_weights import WeightedTable
from tacit.problems.points.blr_points import PointSelection
from tacit.problems.points.sparse_histogram import SparseHistogram
from tacit.problems.thresholds.blr_thresholds import ThresholdSelection
from tacit.problems.thresholds.noisy_tree import NoisyTree
from tacit.problems.thresholds.quantile_table import QuantileTable

SECRET = 8_675_309


def _samples():
    return [
        Sample(np.array([SECRET, 3, 5]), None),
        Sample(np.array([], dtype=np.int64), None),
        Sample(np.array([SECRET] * 6), None),
        Sample([SECRET, None, "x", float("nan"), -1, 2**80], None),
    ]


MECHANISMS = {
    "blr thresholds": ThresholdSelection(domain=Integers(bits=64), rows=3, epsilon=1),
    "blr thresholds, wide": ThresholdSelection(domain=Integers(bits=900), rows=3, epsilon=1),
    "blr points": PointSelection(domain=Integers(bits=64), rows=3, epsilon=1),
    "listed": EnumeratedSelection(concepts=Parities(bits=2), rows=3, epsilon=1),
    "listed, one value": EnumeratedSelection(concepts=Points(size=1), rows=3, epsilon=1),
    "tree": NoisyTree(domain=Integers(bits=8), branching=4, levels=4, epsilon=1),
    "lazy tree": NoisyTree(domain=Integers(bits=70), branching=4, levels=35, divide=400, epsilon=1),
    "odd tree": NoisyTree(domain=Integers(size=100), branching=8, levels=3, rho="0.01"),
    "quantiles": QuantileTable(domain=Integers(bits=64), depth=3, call="0.1"),
    "weights": WeightedTable(concepts=Points(size=9), rounds=3, rows=50, epsilon=1),
    "gaussian weights": WeightedTable(concepts=Parities(bits=3), rounds=3, rows=50, rho="0.1"),
    "fitted": FittedHistogram(
        concepts=Parities(bits=3), n=6, noise=2, rounds=9, rows=50, epsilon=1
    ),
    "sparse": SparseHistogram(domain=Integers(bits=64), epsilon=1, threshold=90),
}


@pytest.mark.parametrize("name", MECHANISMS)
def test_the_mechanism_keeps_the_contract(name):
    """One charge, no memory, no failure on empty, constant or hostile records."""
    mechanism = MECHANISMS[name]
    samples = [s.x for s in _samples()] if name == "sparse" else _samples()
    check_mechanism(mechanism, samples, secret=str(SECRET))
