"""Tests of ``tacit.problems.several.several_upper``."""

from itertools import product

import pytest
from tests.bounds.lower.bounds_grid_cases import GRID, accuracy

from tacit.bounds.lower import two_concepts
from tacit.problems.several import fingerprints
from tacit.problems.several import several_upper as multitask

pytestmark = pytest.mark.property


def test_several_concepts_need_no_more_than_they_get():
    for k, (alpha, beta, epsilon) in product((10, 1000), GRID):
        asked = {"k": k, **accuracy(alpha, beta, epsilon)}
        upper = multitask.direct_sum(size=2**16, **asked).n
        assert two_concepts.label_vectors(**asked).n <= upper
        lower = fingerprints.agnostic(**asked).n
        assert lower <= upper
