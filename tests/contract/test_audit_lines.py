"""Every mechanism and algorithm has a line in the audit, with an exact law."""

from fractions import Fraction as F

import pytest

from tacit.checks.audit.cases import everything
from tacit.checks.audit.table import audit_exactly, not_driven
from tacit.checks.audit.targets import Target

LINES = list(everything())
SLOW = {
    "BestOf",
    "StabilityHistogram",
    "StablePrefix",
    "StableRobustMinimum",
    "SparseHistogram",
    "PrintedHistogram",
    "fitted-histogram",
    "gaussian-multiplicative-weights",
    "gaussian-tree-thresholds",
    "heavy-to-proper",
    "interval-switch",
    "multiplicative-weights",
    "one-way-sequences-stable",
    "parity-elimination",
    "point-learner",
    "points-histogram",
    "proposition-30",
    "pseudorandom-points",
    "pseudorandom-points-efficient",
    "pure-point-table",
    "random-sets",
    "sanitize-then-points",
    "sanitize-then-thresholds",
    "stable-point-table",
    "stable-quantile-thresholds",
    "tree-thresholds",
}
"""Those that take a second or more; ``make audit`` runs them all."""


def test_nothing_that_is_registered_is_without_a_line():
    assert not_driven() == []
    assert all(isinstance(line, Target) for line in LINES)


def test_names_are_used_once():
    names = [line.name for line in LINES]
    assert len(set(names)) == len(names)
    assert set(names) >= SLOW


@pytest.mark.parametrize(
    "line", [line for line in LINES if line.name not in SLOW], ids=lambda line: line.name
)
def test_the_exact_loss_is_found_and_within_the_claim(line):
    found, why_not = audit_exactly(line, epsilon=F(1), seconds=600)
    assert found is not None, why_not
    assert not found.violated
    assert F(1, 5) * found.claimed_epsilon < found.epsilon[0], "a loss near 0 would show nothing"
    assert found.epsilon[1] < found.claimed_epsilon * F(1001, 1000)
