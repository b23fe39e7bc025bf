"""Tests of ``tacit.problems.finite.blr_enumerated``."""

import numpy as np
import pytest
from tests.problems.points.sanitizers_privacy_cases import check, laws

from tacit.classes import Parities, Points, Table
from tacit.problems.finite import blr_enumerated

pytestmark = pytest.mark.exact


@pytest.mark.parametrize(
    "concepts",
    [Table(np.array([[1, 0, 0], [0, 1, 1], [1, 0, 1]])), Parities(bits=2), Points(size=3)],
    ids=["table", "parities", "points"],
)
def test_listed_tables(concepts):
    mechanism = blr_enumerated.EnumeratedSelection(concepts=concepts, rows=2, epsilon=2)
    size = concepts.domain.size
    found = laws(mechanism, size, 3)
    check(found, size, 3, epsilon=mechanism.event().epsilon)
