"""Tests of ``tacit.bounds.lower.shattered``."""

from fractions import Fraction as F
from itertools import product

import pytest
from tests.bounds.lower.bounds_lower_witness_cases import best_failure

from tacit.bounds.lower import shattered

pytestmark = pytest.mark.exact


def test_shattered_branch():
    """Thresholds over 7 values have a mistake tree of depth 3; answers are all 2**3 labellings."""
    alpha, beta, epsilon, d = F(3, 10), F(1, 10), F(1), 3
    bound = shattered.branch(dimension=d, alpha=alpha, beta=beta, epsilon=epsilon)
    # The branches of a depth-2 tree below the root's label: nodes 1 (first), 0 or 2 (second).
    scenarios = []
    tree = {(): "a", (0,): "b", (1,): "c"}
    answers = [dict(zip("abc", labels, strict=True)) for labels in product((0, 1), repeat=3)]
    for branch in product((0, 1), repeat=2):
        law = {("root", 1): 1 - 2 * alpha}
        for depth in range(2):
            law[(tree[branch[:depth]], branch[depth])] = alpha
        good = {
            i
            for i, h in enumerate(answers)
            if all(h[tree[branch[:j]]] == branch[j] for j in range(2))
        }
        scenarios.append((law, good))
    assert bound.n > 1
    assert best_failure(scenarios, answers=range(8), n=bound.n - 1, epsilon=1.0) > beta
