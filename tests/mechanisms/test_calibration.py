"""Tests of ``tacit.mechanisms.calibration``."""

import itertools

import pytest
from tests.problems.tables.table_costs_cases import COSTS, RECORDS, SCHEMA, cost, everything

from tacit.checks.testing import neighbours
from tacit.core import Relation
from tacit.mechanisms.calibration import cost_spread, mistakes_moved, sizes_moved, spread
from tacit.problems.tables.trees import Trees

pytestmark = pytest.mark.exact


@pytest.mark.parametrize("relation", Relation)
def test_the_spread_is_what_enumeration_finds(relation):
    trees = Trees(SCHEMA, depth=1)
    rules = [trees.hypothesis(tree) for tree in everything(trees, 1)]
    widest = moved = sizes = 0
    for left, right in neighbours(RECORDS, 2, relation):
        gaps = [cost(rule, right) - cost(rule, left) for rule in rules]
        widest = max(widest, max(gaps), -min(gaps), max(gaps) - min(gaps))
        for rule in rules:
            each = [
                [cost(rule, records, costs) for costs in ((1, 0), (0, 1))]
                for records in (left, right)
            ]
            moved = max(moved, sum(abs(a - b) for a, b in zip(*each, strict=True)))
        many = [[sum(y == label for _, y in r) for label in (0, 1)] for r in (left, right)]
        sizes = max(sizes, sum(abs(a - b) for a, b in zip(*many, strict=True)))
    assert widest == cost_spread(relation, COSTS)
    assert moved == mistakes_moved(relation, 2)
    assert sizes == sizes_moved(relation)
    assert cost_spread(relation, (1, 1)) == spread(relation)


def test_mistakes_on_three_labels_move_by_two_when_a_label_changes():
    worst = 0
    for said, before, after in itertools.product(range(3), repeat=3):
        each = [[int(y == label != said) for label in range(3)] for y in (before, after)]
        worst = max(worst, sum(abs(a - b) for a, b in zip(*each, strict=True)))
    assert worst == mistakes_moved(Relation.LABEL, 3) == 2
    assert cost_spread(Relation.LABEL, (1, 5, 3)) == 8
