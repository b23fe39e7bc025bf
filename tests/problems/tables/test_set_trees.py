"""Tests of ``tacit.problems.tables.set_trees``."""

import json
from fractions import Fraction

import pytest
from tests.complete import complete
from tests.problems.tables.set_cases import priors

from tacit.core import hypothesis_from_dict
from tacit.core.errors import BadInput
from tacit.domains.schema import Schema
from tacit.problems.tables.set_trees import SetTrees
from tacit.problems.tables.tree_nodes import Cut
from tacit.problems.tables.trees import Trees

pytestmark = pytest.mark.exact

FIVE = complete([("a", "b", "c", "d", "e")])
MIXED = complete([bool, ("a", "b", "c", "d"), ("u", "v", "w")])


@pytest.mark.parametrize("schema", [FIVE, MIXED])
@pytest.mark.parametrize(("depth", "values"), [(0, 2), (1, 2), (1, 3), (2, 2)])
def test_the_prior_is_a_probability_over_all_trees(schema, depth, values):
    trees = SetTrees(schema, depth=depth, leaf=Fraction(1, 5), values=values)
    found = priors(trees)
    assert sum(found.values()) == 1
    assert {root: trees.prior(root) for root in found} == found
    assert trees.least_prior() <= min(found.values())
    assert len(found) == trees.size


def test_the_least_set_is_half_of_the_categories():
    trees = SetTrees(complete([tuple("abcdefgh")]), depth=1)
    sets = [trees.set_prior(0, listed) for listed in range(1, 8)]
    assert min(sets) == sets[3]
    words = dict(trees.comparators())
    assert words["one question about a set of categories"] == Fraction(4, 5) * sets[3]
    # One of eight categories is likelier as a set of its own than half of them are.
    assert sets[0] > 4 * sets[3]


def test_trees_without_sets_lose_at_most_a_half_for_each_category_asked():
    plain, trees = Trees(MIXED, depth=2), SetTrees(MIXED, depth=2)
    ward = plain.cuts.index(Cut(1, 2, ordered=False))
    for tree, asked in (
        ((0, False, True), 0),
        ((ward, False, True), 1),
        ((0, True, (ward, 0, 1)), 1),
    ):
        rule = plain.hypothesis(tree)
        assert trees.prior(rule.root) >= plain.prior(tree) / 2**asked


def test_without_many_categories_these_are_the_usual_trees():
    schema = complete([(0, 1), ("a", "b", "c")], bins=3)
    plain, trees = Trees(schema, depth=2), SetTrees(schema, depth=2)
    assert not trees.sets
    assert (trees.size, trees.shares) == (plain.size, plain.shares)
    assert trees.least_prior() == plain.least_prior()


def test_questions_are_named_by_the_smaller_side():
    trees = SetTrees(FIVE, depth=1)
    asked = trees.question(0, (True, True, True, False, True), 1, 0)
    assert asked == (Cut(0, 3, ordered=False), False, True)
    assert trees.question(0, (False,) * 5, 1, 0) is False
    assert trees.question(0, (True,) * 5, 1, 0) is True
    four = SetTrees(complete([tuple("abcd")]), depth=1)
    one = four.question(0, (False, True, False, True), 1, 0)
    assert one == four.question(0, (True, False, True, False), 0, 1)
    assert one == (Cut(0, 0, ordered=False, others=(2,)), False, True)


def test_a_rule_is_written_and_read_back():
    schema = Schema.of({"job": ["clerk", "nurse", "baker", "smith", "cook"], "age": (0, 9)})
    trees = SetTrees(schema, depth=2)
    root = (
        Cut(1, 3, ordered=True),
        False,
        trees.question(0, (False, True, False, True, False, False), 1, 0),
    )
    rule = trees.hypothesis(root)
    assert "job is clerk or baker" in rule.describe()
    assert "job is not clerk or baker" in rule.describe()
    told = json.loads(json.dumps(rule.to_dict()))
    again = hypothesis_from_dict(told)
    assert again == rule
    assert again.describe() == rule.describe()
    rows = [("clerk", 8), ("baker", 8), ("nurse", 8), (None, 8), ("clerk", 0)]
    assert rule.predict(rows).tolist() == [True, True, False, False, False]
    for cells in ([1], [1, 99], [0, 1, 2, 3, 4, 5], []):
        told["root"]["high"]["cells"] = cells
        with pytest.raises(BadInput, match="damaged"):
            hypothesis_from_dict(told)


def test_many_values_are_asked_at_one_level_only():
    codes = tuple(f"I{code}" for code in range(1000))
    assert SetTrees.fitting(Schema.of({"code": codes})).depth == 1
    assert SetTrees.fitting(Schema.of({"job": codes[:40], "age": (0, 99)})).depth == 2
    with pytest.raises(BadInput, match="at most 2"):
        SetTrees(FIVE, depth=3)
