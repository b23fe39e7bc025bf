"""Pictures of witnesses: well-formed, cut where they grow too large."""

from xml.etree import ElementTree

import pytest

from tacit.core import BadInput
from tacit.theory.dimensions.draw import svg
from tacit.theory.dimensions.witnesses import EmbeddedThresholds, MistakeTree, ShatteredSet

EVERY = [[x >> i & 1 for i in range(2)] for x in range(4)]


def words(picture):
    root = ElementTree.fromstring(picture)
    return ["".join(node.itertext()) for node in root.iter() if node.tag.endswith("}text")]


def test_a_shattered_set_shows_a_square_for_every_label():
    found = ShatteredSet(digest="", points=(0, 1), witnesses=(0, 1, 2, 3))
    picture = svg(found, EVERY)
    assert words(picture) == ["x0", "x1", "c0", "c1", "c2", "c3"]
    assert picture.count("<rect") == 8


def test_a_tree_shows_its_questions_and_its_leaves():
    tree = MistakeTree(digest="", points=(0, 1, 1), leaves=(0, 2, 1, 3))
    shown = words(svg(tree, EVERY))
    assert {"x0", "x1", "c0", "c1", "c2", "c3"} <= set(shown)


def test_a_deep_tree_is_cut_and_says_so():
    deep = MistakeTree(digest="", points=(0,) * 1023, leaves=(0,) * 1024)
    assert words(svg(deep, EVERY)).count("...") == 64


def test_other_witnesses_have_no_picture():
    with pytest.raises(BadInput, match="can be drawn"):
        svg(EmbeddedThresholds(digest="", points=(), concepts=()), EVERY)
