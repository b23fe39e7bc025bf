"""Tests of ``tacit.problems.thresholds.thresholds``."""

import numpy as np
import pytest
from tests.problems.thresholds.classes_landscapes_cases import (
    ORIENTATIONS,
    _all_errors,
    _candidates,
)

from tacit.classes import Thresholds
from tacit.problems.thresholds import thresholds as module


@pytest.mark.parametrize("orientation", ORIENTATIONS)
def test_sorted_and_counted_forms_agree(orientation):
    """A short domain is counted, a long one sorted; both tell the same."""
    concept_class = Thresholds(size=9, orientation=orientation)
    rng = np.random.default_rng(5)
    x = rng.integers(0, 9, 40).astype(np.uint64)
    y = rng.integers(0, 2, 40).astype(bool)
    high = y if concept_class.orientation == ">=" else ~y
    counted = concept_class._from_histogram(x, high)
    values, ups = module._sorted_by_value(x, high, concept_class.domain)
    assert _all_errors(counted) == _all_errors(concept_class._from_sorted(values, ups))


@pytest.mark.parametrize("orientation", ORIENTATIONS)
@pytest.mark.parametrize("size", [2**63 - 1, 2**63, 2**64 - 1, 2**64, 2**64 + 1, 2**1000])
def test_thresholds_at_the_edges_of_a_word(size, orientation):
    concept_class = Thresholds(size=size, orientation=orientation)
    x = concept_class.domain.coerce([0, 1, size // 2, size - 2, size - 1, size - 1])
    y = np.array([False, True, False, True, True, False])
    landscape = concept_class.landscape(x, y)
    levels = landscape.levels()
    assert levels.total == concept_class.size
    for error, count in zip(levels.errors.tolist(), levels.counts.tolist(), strict=True):
        for rank in {0, int(count) // 2, int(count) - 1}:
            rule = concept_class.hypothesis(landscape.member(error, rank))
            assert np.count_nonzero(rule.predict(x) != y) == error


@pytest.mark.parametrize("orientation", ORIENTATIONS)
def test_threshold_rules_say_what_they_do(orientation):
    concept_class = Thresholds(size=4, orientation=orientation)
    tables = [
        concept_class.hypothesis(c).predict(range(4)).tolist() for c in _candidates(concept_class)
    ]
    assert len({tuple(table) for table in tables}) == concept_class.size
    steps = {">=": 1, "<": -1, "<=": -1}[concept_class.orientation]
    assert all(table == sorted(table, reverse=steps < 0) for table in tables)
    constant = [table for table in tables if len(set(table)) == 1]
    assert len(constant) == (1 if concept_class.orientation == "<=" else 2)
