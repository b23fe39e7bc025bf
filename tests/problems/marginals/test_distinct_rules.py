"""Rules over few combinations of cells, each once: against brute force."""

from itertools import product

import numpy as np
import pytest

from tacit.classes import Boxes, Conjunctions, Formulas, Intervals, Stumps, Trees
from tacit.domains import Schema
from tacit.problems.marginals.distinct_rules import distinct
from tacit.problems.tables.short_lists import FewCuts, Totals
from tacit.tallies.combinations import combination_of, combinations

SCHEMA = Schema.of({"a": range(3), "b": tuple("xyz"), "c": bool}).declared_complete()
CELLS = np.array(list(product(range(3), range(3), range(2))), dtype=np.int32)
LISTED = [
    Intervals(SCHEMA),
    Boxes(SCHEMA),
    Conjunctions(SCHEMA),
    Formulas(SCHEMA, clauses=1),
    Formulas(SCHEMA, form="dnf", clauses=2),
    FewCuts(SCHEMA),
    Totals(SCHEMA),
]


def all_trees(family, levels):
    yield from (False, True)
    if levels:
        below = list(all_trees(family, levels - 1))
        yield from product(range(len(family.cuts)), below, below)


def members(family):
    if isinstance(family, Trees):
        return all_trees(family, family.depth)
    return range(family.size)


@pytest.mark.exact
@pytest.mark.parametrize(
    "family", [*LISTED, Stumps(SCHEMA), Trees(SCHEMA, depth=0), Trees(SCHEMA, depth=2)], ids=repr
)
def test_every_function_of_the_class_is_there_once_with_a_rule_of_its_own(family):
    brute = {family.hypothesis(one).of_cells(CELLS).tobytes() for one in members(family)}
    found = distinct(family)
    assert len(found) == len(found.table.matrix) == len(brute)
    assert {row.tobytes() for row in found.table.matrix} == brute
    for place in range(len(found)):
        assert np.array_equal(found.rule(place).of_cells(CELLS), found.table.matrix[place])


@pytest.mark.exact
def test_records_are_numbered_by_their_cells_alone():
    rows = [(a, "xyz"[b], bool(c)) for a, b, c in CELLS.tolist()]
    assert combinations(SCHEMA) == 18
    assert combination_of(SCHEMA, np.array(rows, dtype=object)).tolist() == list(range(18))
    assert combination_of(SCHEMA, np.array(rows[7:9], dtype=object)).tolist() == [7, 8]


@pytest.mark.exact
@pytest.mark.parametrize("family", [Boxes(SCHEMA), Trees(SCHEMA, depth=2)], ids=repr)
def test_one_rule_is_kept_for_each_way_to_divide_what_has_a_positive_count(family):
    found, draw = distinct(family), np.random.default_rng(4)
    for _ in range(20):
        counts = draw.integers(-3, 4, 18)
        seen = found.table.matrix[:, counts > 0]
        ways = {row.tobytes() for row in seen}
        kept = found.told_apart(counts).kept
        assert len(kept) == len(ways)
        assert {seen[place].tobytes() for place in kept} == ways
    assert found.told_apart(np.zeros(18, dtype=np.int64)).kept == (0,)
    assert len(found.told_apart(np.ones(18, dtype=np.int64)).kept) == len(found)


def test_a_tree_of_the_least_depth_stands_for_its_function():
    found = distinct(Trees(SCHEMA, depth=2))
    shallow = {row.tobytes() for row in distinct(Stumps(SCHEMA)).table.matrix}
    for place in range(len(found)):
        tree = found.members[place]
        deep = not isinstance(tree, int) and any(isinstance(side, tuple) for side in tree)
        assert deep is (found.table.matrix[place].tobytes() not in shallow)
