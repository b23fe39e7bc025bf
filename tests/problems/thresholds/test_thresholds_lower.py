"""Tests of ``tacit.problems.thresholds.thresholds_lower``."""

from fractions import Fraction as F

import pytest
from tests.bounds.lower.bounds_lower_witness_cases import best_failure

from tacit.problems.thresholds import thresholds_lower as thresholds

pytestmark = pytest.mark.exact


def rare_pairs(size, alpha):
    """One rare value on either side of each border 1, ..., size - 1; value 0 has the rest."""
    found = []
    for border in range(1, size):
        law = {(0, 0): 1 - 2 * alpha, (border, 1): alpha}
        law[(border - 1, 0)] = law.get((border - 1, 0), 0) + alpha
        found.append((law, {border}))
    return found


@pytest.mark.parametrize(
    ("alpha", "beta", "epsilon"), [(F(1, 5), F(1, 4), F(1)), (F(2, 5), F(1, 8), F(1))]
)
def test_rare_pair(alpha, beta, epsilon):
    size = 4
    claimed = thresholds.rare_pair(domain_size=size, alpha=alpha, beta=beta, epsilon=epsilon).n
    rest = {"answers": range(size + 1), "epsilon": float(epsilon)}
    assert claimed > 1
    assert best_failure(rare_pairs(size, alpha), n=claimed - 1, **rest) > beta
