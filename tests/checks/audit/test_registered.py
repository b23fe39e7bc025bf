"""Tests of ``tacit.checks.audit.registered``."""

from fractions import Fraction as F

from tacit.checks.audit.registered import power
from tacit.checks.testing import seeded


def test_an_overdriven_mechanism_is_caught_exactly_and_by_sampling():
    line = next(power(rng=seeded("table")))
    assert line.driven_at == F(5, 4)
    assert line.exact is not None
    assert line.exact.violated
    assert line.estimate is not None
    assert line.estimate.violated
    assert "CAUGHT" in line.cells()
