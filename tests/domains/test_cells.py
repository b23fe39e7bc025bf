"""Words for cells, and the cells that stand apart."""

import pytest

from tacit.core import BadInput
from tacit.domains.cells import listed, value_words
from tacit.domains.fields import Category, Integer

AGE = Integer(low=0, high=99, edges=(18, 65))


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("nurse", "nurse"),
        (3, "3"),
        ("-2.5", "-2.5"),
        ("missing", '"missing"'),
        ("a b", '"a b"'),
        ("", '""'),
    ],
)
def test_a_value_is_quoted_unless_it_is_one_plain_word(value, words):
    assert value_words(value) == words


def test_lists_read_as_sentences():
    assert [listed("a"), listed("ab"), listed("abc")] == ["a", "a or b", "a, b or c"]


def test_missing_and_undeclared_values_have_one_cell_two_or_none():
    jobs = {"values": ("nurse", "cook")}
    assert Category(**jobs).all_cells == ("missing or anything else", "nurse", "cook")
    assert Category(**jobs, missing="own").apart == ("missing", "anything else")
    assert Category(**jobs, complete=True).cells == 2


@pytest.mark.parametrize(
    "wrong", [{"missing": "none"}, {"complete": 1}, {"missing": "own", "complete": True}]
)
def test_other_declarations_are_refused(wrong):
    with pytest.raises(BadInput):
        Category(values=("nurse", "cook"), **wrong)


def test_both_answers_of_every_question_name_every_cell_once():
    asked = 0
    for cut in range(AGE.cells - 1):
        yes, no = AGE.below(cut, name="age")
        assert yes != no
        assert ("missing" in yes) != ("missing" in no) or "is a number" in no
        asked += 1
    assert asked == 3
    assert AGE.below(1, name="age") == (
        "age < 18 (or missing or anything else)",
        "age >= 18",
    )


def test_a_set_is_said_by_what_is_in_it_or_by_what_is_not():
    few = Category(values=tuple("abcd"))
    assert few.is_among({1, 2}, name="job") == ["job is a or b"]
    assert few.is_among({0, 1, 2}, name="job") == ["job is a or b (or missing or anything else)"]
    assert few.is_among({0, 2, 3, 4}, name="job") == ["job is not a"]
    assert few.is_among({2, 3, 4}, name="job") == ["job is b, c or d"]
    many = Category(values=tuple(f"c{place}" for place in range(40)))
    assert many.is_among(set(range(2, 41)), name="code") == [
        "code is not c0",
        "code is one of the declared values",
    ]
