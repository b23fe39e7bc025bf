"""Tests of ``tacit.tallies.parts``."""

import pytest
from tests.problems.marginals.marginals_privacy_cases import FIRST, SCHEMA

from tacit.core import Sample
from tacit.tallies.parts import counts_of

pytestmark = pytest.mark.exact


def test_counts_hold_every_record_once():
    data = Sample(FIRST.astype(bool), None)
    counts = counts_of(data, SCHEMA, ((0,), (0, 1), (0, 1, 2)))
    assert [int(one.sum()) for one in counts.values()] == [4, 4, 4]
    assert counts[0, 1].tolist() == [[3, 0], [0, 1]]
