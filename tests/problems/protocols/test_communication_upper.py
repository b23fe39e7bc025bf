"""Tests of ``tacit.problems.protocols.communication_upper``."""

from fractions import Fraction as F

import pytest
from scipy.stats import binom
from tests.problems.several.bounds_theorems_cases import A, B, E

from tacit.bounds.upper import selection
from tacit.problems.protocols import communication_upper as protocols

pytestmark = pytest.mark.exact


def test_protocols():
    k = protocols.copies(error=F(1, 100), rho=F(1, 50), failure=F(1, 20))
    assert F(1, 2) ** k <= F(1, 20) < F(1, 2) ** (k - 1)
    for t in (1, 2, 5, 8):
        exact = protocols.majority_error(runs=t, error=F(1, 3))
        assert abs(float(exact) - binom.sf(-(-t // 2) - 1, t, 1 / 3)) < 1e-12
    assert protocols.deterministic_error(rho=F(1, 4)) == (F(1, 4), F(1, 8))
    bits = protocols.representation_bits(message=7)
    error = protocols.majority_error(runs=5, error=F(1, 3))
    assert bits == 5 * 7 + 3
    assert (4 * error) ** 8 <= F(1, 4)
    got = protocols.records(bits=1, alpha=A, beta=B, epsilon=E)
    size = got.choices["copies"] << (got.choices["runs"] * 2)
    assert (
        got.n
        == selection.realizable(size=size, alpha=A, beta=B / 2, epsilon=E, rho=got.choices["rho"]).n
    )
