"""Tests of ``tacit.theory.dimensions.conversions``."""

from fractions import Fraction as F

from tests.problems.protocols.found_representation_cases import FOUR

from tacit import dimensions as dims
from tacit.theory.dimensions.checks import why_not
from tacit.theory.dimensions.conversions import newman_protocol


def test_newman_is_a_protocol():
    public = dims.communication(FOUR, error="1/4").witness
    private = newman_protocol(public, FOUR, slack="1/10")
    assert why_not(private, FOUR) is None
    assert private.error <= public.error + F(1, 10)
