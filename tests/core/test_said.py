"""Facts that a caller called public: read from any recipe, shown at a bounded length."""

import pytest

from tacit.core.said import (
    LONGEST,
    MOST,
    complete_columns,
    impossible_combinations,
    listed,
    public_facts,
)


def recipe(**schema):
    return {"class": {"schema": schema}}


def test_facts_and_complete_columns_are_read_from_the_schema():
    columns = {"age": {"complete": True}, "sex": {"complete": False}, "town": {}}
    assert public_facts(recipe(public=["cells of age"])) == ("cells of age",)
    assert complete_columns(recipe(columns=columns)) == "'age'"
    assert public_facts({"schema": {"public": ["of a table"]}}) == ("of a table",)
    several = {"class": {"classes": [{"schema": {"public": ["of the first"]}}]}}
    assert public_facts(several) == ("of the first",)


@pytest.mark.parametrize(
    "strange",
    [{}, {"class": 3}, {"class": {"classes": []}}, recipe(public="one"), recipe(public={"a": 1})],
)
def test_a_strangers_recipe_says_nothing(strange):
    assert public_facts(strange) == ()
    assert complete_columns(strange) == ""
    assert impossible_combinations(strange) == ""


def test_impossible_combinations_are_told_in_words():
    declared = [[["sex", ["male"]], ["pregnant", [True]]], [["age", list(range(20))]]]
    told = impossible_combinations({"class": {"impossible": declared}})
    assert told.startswith("'sex' is 'male' and 'pregnant' is 'True'; 'age' is '0' or '1' or")
    assert told.endswith("or 8 more")
    many = impossible_combinations({"class": {"impossible": declared * MOST}})
    assert many.endswith(f"; and {MOST} more")
    for strange in (3, [3], [[3]], [[["a"]]], [[["a", "b"]]], [[["a", []]]], [[]]):
        assert impossible_combinations({"class": {"impossible": strange}}) == ""


def test_what_is_shown_is_bounded():
    facts = public_facts(recipe(public=["x" * 10**6, 7, *"abcdefghijklmnop"]))
    assert max(map(len, facts)) == LONGEST
    assert len(facts) == MOST - 1  # the number is left out
    assert listed([str(i) for i in range(MOST + 3)]).endswith("'11' and 3 more")
