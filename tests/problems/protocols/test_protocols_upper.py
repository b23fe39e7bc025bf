"""Tests of ``tacit.problems.protocols.protocols_upper``."""

from fractions import Fraction

import pytest
from tests.problems.protocols.fx14_learners_cases import NUMBERS

from tacit.core import BadInput
from tacit.problems.protocols.protocols_upper import protocol_records


def test_theorem_7_records():
    exact = protocol_records(messages=1 << 10, error=0, **NUMBERS)
    loose = protocol_records(messages=1 << 10, error=Fraction(1, 1 << 10), **NUMBERS)
    assert exact.choices["copies"] == 1
    assert exact.n < loose.n < 2 * exact.n
    with pytest.raises(BadInput):
        protocol_records(messages=4, error=Fraction(1, 4), **NUMBERS)
