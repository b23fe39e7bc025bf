"""Tests of ``tacit.problems.finite.sanitizers_lower``."""

from itertools import product

import pytest
from tests.bounds.lower.bounds_grid_cases import BITS, GRID, accuracy

from tacit.problems.finite import sanitizers_lower as sanitizers
from tacit.problems.finite import sanitizers_upper as upper_sanitizers

pytestmark = pytest.mark.property


def test_sanitizers():
    for bits, point in product(BITS, GRID):
        asked = {**accuracy(*point), "domain_size": 2**bits}
        assert sanitizers.planted_value(**asked).n <= upper_sanitizers.pure_histogram(**asked).n
