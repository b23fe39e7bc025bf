"""Tests of ``tacit.problems.thresholds.thresholds_upper``."""

import pytest
from tests.bounds.lower.bounds_grid_cases import GRID, RELATIONS, accuracy

from tacit.bounds.upper import selection
from tacit.problems.thresholds import thresholds_lower as lower_thresholds
from tacit.problems.thresholds import thresholds_upper as thresholds

pytestmark = pytest.mark.property


@pytest.mark.parametrize("relation", RELATIONS, ids=lambda r: r.value)
@pytest.mark.parametrize("bits", [4, 64])
def test_proper_thresholds(bits, relation):
    for point in GRID:
        asked = {**accuracy(*point), "relation": relation}
        lower = lower_thresholds.rare_pair(**asked, domain_size=2**bits).n
        size = 2**bits + 1
        upper = thresholds.exact_tail(**asked, size=size, selector="permute-and-flip").n
        assert lower <= upper <= selection.realizable(**asked, size=size).n
