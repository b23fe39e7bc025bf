"""The prior of trees: a simplified twin counts, a tree that is too deep has none."""

from fractions import Fraction

from tacit.domains import Schema
from tacit.problems.tables.tree_nodes import Cut
from tacit.problems.tables.tree_priors import least_of, levels_of, tree_comparators, tree_prior
from tacit.problems.tables.trees import TreeRule, Trees

SCHEMA = Schema.of({"age": (0, 120), "smoker": bool})

PARTS = tuple((Trees(SCHEMA, depth=depth), Fraction(1, 2)) for depth in (1, 2))

CUT = (Cut(0, 3, True), False, True)

TWICE = (Cut(0, 5, True), CUT, CUT)

REAL = (Cut(0, 5, True), CUT, (Cut(0, 9, True), False, True))


def test_levels_are_the_most_questions_that_a_record_is_asked():
    assert [levels_of(node) for node in (True, CUT, TWICE, (Cut(0, 5, True), TWICE, True))] == [
        0,
        1,
        2,
        3,
    ]


def test_a_tree_that_says_less_than_it_asks_has_the_prior_of_its_twin():
    plain = tree_prior(PARTS, TreeRule(schema=SCHEMA, root=CUT))
    assert tree_prior(PARTS, TreeRule(schema=SCHEMA, root=TWICE)) == plain
    real = tree_prior(PARTS, TreeRule(schema=SCHEMA, root=REAL))
    assert 0 < real < plain


def test_a_tree_that_is_too_deep_has_none():
    deep = (Cut(0, 5, True), (Cut(0, 3, True), (Cut(0, 1, True), True, False), True), REAL[2])
    assert tree_prior(PARTS, TreeRule(schema=SCHEMA, root=deep)) == 0


def test_no_tree_is_rarer_than_the_least():
    named = dict(tree_comparators(PARTS))
    assert list(named) == ["a constant label", "trees of one cut", "trees of two levels"]
    assert sorted(named.values(), reverse=True) == list(named.values())
    assert min(named.values()) >= least_of(PARTS)
