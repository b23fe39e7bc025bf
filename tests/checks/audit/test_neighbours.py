"""Tests of ``tacit.checks.audit.neighbours``."""

import numpy as np
import pytest

from tacit.checks.audit.neighbours import walks
from tacit.core import Relation, Sample

pytestmark = pytest.mark.statistical


def test_walks_keep_to_the_relation():
    left = Sample(np.array([1, 2, 3]), np.array([0, 0, 1]))
    one_label = Sample(np.array([1, 2, 3]), np.array([1, 0, 1]))
    one_record = Sample(np.array([7, 2, 3]), np.array([1, 0, 1]))
    for relation, right in ((Relation.LABEL, one_label), (Relation.REPLACE_ONE, one_record)):
        found = walks((left, right), relation)
        assert found
        for walk in found:
            for j in range(walk.steps):
                here, there = walk.data(j), walk.data(j + 1)
                differ = (here.x != there.x) | (here.y != there.y)
                assert np.count_nonzero(differ) <= 1
                if relation is Relation.LABEL:
                    assert np.array_equal(here.x, there.x)
    assert walks((left, one_record), Relation.LABEL) == []
    assert walks((left, one_record), Relation.ADD_REMOVE) == []
    assert walks((0, 1), Relation.REPLACE_ONE) == []
