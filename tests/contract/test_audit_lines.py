"""Every mechanism and algorithm has a line in the audit, with an exact law."""

from fractions import Fraction as F
from pathlib import Path

import pytest

import tacit
from tacit.checks.audit.instances import everything
from tacit.checks.audit.registered import audit_exactly, not_driven
from tacit.core import ALGORITHMS, mechanisms

PACKAGE = Path(tacit.__file__).parent
LINES = list(everything())
ONCE_LISTED = (Path(__file__).parent / "audited.txt").read_text(encoding="utf-8").split("\n")[:-1]
"""What hand-kept lists drove before algorithms and mechanisms owned their tiny instances."""
SLOW = {
    "BestOf",
    "InTurn",
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
    "label-private-arrangement",
    "label-private-spheres",
    "multiplicative-weights",
    "near-concept",
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


FROM_BELOW = {
    "BoostedOrDrawn",
    "adaptive-pairs",
    "additive points",
    "all-combinations",
    "boosted trees",
    "independent-columns",
    "tree-of-pairs",
}
"""Whose tiny instances have large budgets, so that few paths weigh anything: the audit leaves out
the faint ones and bounds the loss from below only. ``tests/problems/marginals/test_independent.py`` and
``tests/problems/tables/test_boosted_learner.py`` (``test_additive_learner.py`` and
``test_boosted_or_drawn.py`` beside it) follow every run of these exactly."""


def test_nothing_that_is_registered_is_without_a_line():
    assert not_driven() == []


def test_nothing_that_was_audited_once_is_audited_no_more():
    assert len(ONCE_LISTED) >= 87
    assert set(ONCE_LISTED) <= {line.name for line in LINES}


def test_every_algorithm_and_mechanism_names_a_proof_that_exists():
    proofs = {entry.name: entry.proof for entry in ALGORITHMS}
    proofs |= {cls.__name__: cls.CLAIM.proof for cls in mechanisms()}
    assert len(proofs) >= 100
    assert [
        name for name, proof in proofs.items() if not (PACKAGE / (proof or "-")).is_file()
    ] == []


def test_names_are_used_once():
    names = [line.name for line in LINES]
    assert len(set(names)) == len(names)
    assert set(names) >= SLOW


@pytest.mark.parametrize(
    "line",
    [line for line in LINES if line.name not in SLOW | FROM_BELOW],
    ids=lambda line: line.name,
)
def test_the_exact_loss_is_found_and_within_the_claim(line):
    found, why_not = audit_exactly(line, epsilon=F(1), seconds=600)
    assert found is not None, why_not
    assert not found.violated
    assert F(1, 5) * found.claimed_epsilon < found.epsilon[0], "a loss near 0 would show nothing"
    assert found.epsilon[1] < found.claimed_epsilon * F(1001, 1000)


@pytest.mark.parametrize(
    "line", [line for line in LINES if line.name in FROM_BELOW], ids=lambda line: line.name
)
def test_a_loss_is_found_and_no_more_than_the_claim(line):
    found, why_not = audit_exactly(line, epsilon=F(1), seconds=600)
    assert found is not None, why_not
    assert not found.violated
    assert 1 < found.epsilon[0] <= found.claimed_epsilon
