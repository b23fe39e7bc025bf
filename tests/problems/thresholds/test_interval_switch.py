"""Tests of ``tacit.problems.thresholds.interval_switch``."""

from itertools import product

import numpy as np
import pytest
from tests.problems.thresholds.bbkn13_intervals_cases import ORIENTATIONS, RULES, SIZE, concepts

from tacit.problems.thresholds.interval_switch import switching_points
from tacit.problems.thresholds.thresholds import Thresholds


@pytest.mark.parametrize("orientation", ORIENTATIONS)
def test_theorem_5_4_some_switching_point_errs_only_where_the_rule_does(orientation):
    thresholds = Thresholds(size=SIZE, orientation=orientation)
    table = concepts(thresholds)
    for rule, target in product(RULES, table.values()):
        candidates = {max(thresholds.first, int(j)) for j in switching_points(rule)}
        wrong = rule != target
        assert any(((table[j] != target) <= wrong).all() for j in candidates)


def test_switching_points_are_needed():
    """Leave out the ends and the statement fails."""
    table = concepts(Thresholds(size=SIZE, orientation="INTERVAL"))
    rule, target = np.ones(SIZE, dtype=bool), table[SIZE]
    inside = [int(j) for j in switching_points(rule) if 0 < j < SIZE]
    assert not any(((table[j] != target) <= (rule != target)).all() for j in inside)
