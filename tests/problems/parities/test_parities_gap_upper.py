"""Tests of ``tacit.problems.parities.parities_gap_upper``."""

from fractions import Fraction as F

import pytest

from tacit.core import Relation
from tacit.problems.parities import parities_gap_upper as bounds

pytestmark = pytest.mark.exact

ASKED = {"alpha": F(1, 10), "beta": F(1, 10), "epsilon": F(1), "delta": F(1, 10**6)}


def test_the_records():
    found = [bounds.joint_gap(bits=d, **ASKED).n for d in (8, 12, 16, 20, 64, 128)]
    assert found == [93, 102, 110, 117, 184, 265]
    gone = [bounds.joint_gap(bits=d, relation=Relation.ADD_REMOVE, **ASKED).n for d in (8, 12, 64)]
    assert gone == [55, 62, 132]
