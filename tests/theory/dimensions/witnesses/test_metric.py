"""Verifiers of covers, packings and doubling: each change is found."""

from dataclasses import replace

import pytest
from tests.theory.dimensions.checks.metric_cases import COVERED, HALF, HARD, PACKED, STEPS

from tacit.theory.dimensions.checks.metric import CHECKS


@pytest.mark.parametrize("right", [PACKED, replace(PACKED, centre=2, within=HALF), COVERED, HARD])
def test_a_true_witness_passes(right):
    assert CHECKS[type(right)](right, STEPS) is None
