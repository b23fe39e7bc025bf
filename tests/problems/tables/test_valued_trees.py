"""Tests of ``tacit.problems.tables.valued_trees``."""

from fractions import Fraction

import pytest
from tests.complete import complete
from tests.problems.tables.valued_cases import every

from tacit.core import hypothesis_from_dict
from tacit.core.errors import BadInput
from tacit.domains.schema import Schema
from tacit.problems.tables.trees import RuleLists, Stumps, Trees
from tacit.problems.tables.valued_trees import ValuedLists, ValuedTrees, fitting, valued

pytestmark = pytest.mark.exact

TINY = complete([(0, 1), ("a", "b", "c")], bins=2)
HALF = Fraction(1, 2)


@pytest.mark.parametrize("kind", [ValuedTrees, ValuedLists])
@pytest.mark.parametrize(("depth", "values"), [(0, 3), (1, 3), (2, 3), (1, 5), (2, 2)])
def test_the_prior_is_a_probability_over_all_labellings(kind, depth, values):
    trees = kind(TINY, depth=depth, leaf=Fraction(1, 5), values=values)
    listed = list(every(trees, depth))
    assert len(listed) == trees.size
    assert sum(trees.prior(tree) for tree in listed) == 1
    assert min(trees.prior(tree) for tree in listed) == trees.least_prior()


@pytest.mark.parametrize("kind", [Trees, RuleLists])
@pytest.mark.parametrize("depth", [0, 1, 2, 3])
def test_two_values_are_the_usual_trees(kind, depth):
    usual = kind(TINY, depth=depth)
    same = valued(usual, 2)
    assert (same.size, same.least_prior()) == (usual.size, usual.least_prior())


def test_stumps_stay_stumps():
    assert valued(Stumps(TINY), 3) == ValuedTrees(TINY, depth=1, leaf=Fraction(1, 5), values=3)
    assert "3 labels a leaf" in valued(Stumps(TINY), 3).describe()


def test_the_depth_follows_from_public_numbers():
    wide = Schema.of([(0, 1)] * 30, bins=16)
    assert fitting(Trees(TINY, depth=2), 3, None, HALF).depth == 2
    assert fitting(Trees(TINY, depth=2), 3, 10, HALF).depth == 2
    assert fitting(Trees(TINY, depth=2), 3, 10**6, HALF).depth == 3
    assert fitting(Trees(wide, depth=2), 3, 10**9, HALF).depth == 2
    assert fitting(RuleLists(TINY, depth=2), 4, 10**6, HALF) == ValuedLists(
        TINY, depth=3, leaf=Fraction(1, 5), values=4
    )


def test_a_rule_is_written_and_read_back_with_its_labels():
    trees = ValuedTrees(TINY, depth=2, values=4)
    rule = trees.hypothesis((0, 3, (1, 2, 0)))
    again = hypothesis_from_dict(rule.to_dict())
    assert again == rule
    assert rule.to_dict()["values"] == 4
    rows = [(0.1, "a"), (0.9, "a"), (0.9, "b")]
    assert again.predict(rows).tolist() == rule.predict(rows).tolist() == [3, 2, 0]
    assert rule.describe().splitlines()[0].endswith(": 3")
    damaged = rule.to_dict() | {"values": 3}
    with pytest.raises(BadInput, match="damaged"):
        hypothesis_from_dict(damaged)
    with pytest.raises(BadInput, match="damaged"):
        hypothesis_from_dict(rule.to_dict() | {"values": 10**6})
