"""Tests of ``tacit.core.public``."""

import pytest
from tests.problems.reals.public_cover_cases import task

from tacit import PublicRecords, plan
from tacit.core import BadInput


def test_a_less_similar_law_needs_more():
    near = plan(task(public=PublicRecords(3000))).best.n
    far = plan(task(public=PublicRecords(3000, kappa=3))).best.n
    assert near < far
    with pytest.raises(BadInput, match="at least 1"):
        PublicRecords(10, kappa="1/2")
