"""Tests of ``tacit.problems.parities.parities_lower``."""

from fractions import Fraction as F
from itertools import product

import pytest
from tests.bounds.lower.bounds_lower_witness_cases import best_failure

from tacit.problems.parities import parities_lower as parities

pytestmark = pytest.mark.exact


@pytest.mark.parametrize(("bits", "k"), [(2, 1), (1, 2)])
def test_relabelled_parities(bits, k):
    beta, epsilon = F(1, 10), F(2)
    claimed = parities.relabelled(bits=bits, k=k, alpha=F(1, 5), beta=beta, epsilon=epsilon).n
    values = list(product((0, 1), repeat=bits))
    vectors = list(product(values, repeat=k))

    def labels(vector, x):
        return tuple(sum(a * b for a, b in zip(c, x, strict=True)) % 2 for c in vector)

    scenarios = [({(x, labels(v, x)): F(1, 2**bits) for x in values}, {v}) for v in vectors]
    failing = best_failure(scenarios, answers=vectors, n=claimed - 1, epsilon=2.0)
    assert claimed > 1
    assert failing > beta


def test_a_million_tasks_need_no_fewer_records_than_a_thousand():
    """Matrices of so many cells are not counted by rank: their numbers have millions of digits."""
    asked = {"bits": 12, "alpha": F(1, 10), "beta": F(1, 10), "epsilon": F(1)}
    assert parities.relabelled(k=10**6, **asked).n > parities.relabelled(k=1000, **asked).n > 1000
    delta = F(1, 10**6)
    assert (
        parities.relabelled(k=10**6, delta=delta, **asked).n
        >= parities.relabelled(k=10, delta=delta, **asked).n
    )
