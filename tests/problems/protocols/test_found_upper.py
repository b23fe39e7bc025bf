"""Tests of ``tacit.problems.protocols.found_upper``."""

from fractions import Fraction as F

import pytest
from tests.problems.protocols.found_representation_cases import ENTRY, FOUR, task

from tacit import dimensions as dims
from tacit.core import BadInput
from tacit.problems.protocols.found import Represented
from tacit.problems.protocols.found_upper import found_records


def test_majorities_reach_an_error_that_the_representation_has_not():
    found = Represented(FOUR, dims.representation(FOUR, alpha="1/5"))
    bound = ENTRY.bound(task(found, alpha="0.19"))
    assert bound.choices["runs"] > 1
    with pytest.raises(BadInput, match="errs too much"):
        found_records(
            rho=F(9, 20), miss=0, hypotheses=9, alpha=F(1, 50), beta=F(1, 10), epsilon=F(1)
        )
