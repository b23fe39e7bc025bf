"""Tests of ``tacit.mechanisms.score``."""

from fractions import Fraction as F

import numpy as np
import pytest
from tests.checks.audit.audit_exact_cases import ONE, close

from tacit.checks.audit import law
from tacit.checks.testing import exponential_law, flip_law
from tacit.classes import Points
from tacit.core import Sample
from tacit.mechanisms import (
    Exponential,
    Mistakes,
    PermuteAndFlip,
)

pytestmark = pytest.mark.exact


@pytest.mark.parametrize(
    ("kind", "stated"), [(Exponential, exponential_law), (PermuteAndFlip, flip_law)]
)
def test_a_branched_law_is_the_stated_one(kind, stated):
    data = Sample(np.array([0, 0, 1, 3]), np.array([1, 0, 1, 1]))
    mechanism = kind(score=Mistakes(Points(size=4)), epsilon=ONE)
    found = law(mechanism, data)
    errors = [sum((x == c) != y for x, y in zip(data.x, data.y, strict=True)) for c in range(4)]
    expected = stated(errors, F(1, 2))
    assert set(found.masses) == set(expected)
    assert all(close(found.masses[c], expected[c]) for c in expected)
    assert found.rest == 0
