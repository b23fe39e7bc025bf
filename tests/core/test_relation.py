"""Tests of ``tacit.core.relation``."""

import pytest

from tacit.core import (
    LABEL,
    REPLACE_ONE,
    BadInput,
    Relation,
)


@pytest.mark.parametrize(
    ("text", "relation"),
    [("replace-one", REPLACE_ONE), ("REPLACE_ONE", REPLACE_ONE), (" Label ", LABEL)],
)
def test_relations_are_read_in_usual_spellings(text, relation):
    assert Relation.read(text) is relation
    assert Relation.read(relation) is relation


def test_relations():
    with pytest.raises(BadInput, match="add-remove"):
        Relation.read("swap")
    assert [relation.size_is_public for relation in Relation] == [True, False, True]
