"""What is said of a file that cannot be read is the same whatever its records hold."""

from inspect import signature

import pytest

import tacit
from tacit.classes import Thresholds, Trees
from tacit.core import BadInput
from tacit.domains import Schema
from tacit.sources.words import changed, not_a_table, there


def test_a_message_knows_nothing_but_the_name():
    for made in (changed, not_a_table):
        assert list(signature(made).parameters) == ["name"]
        assert str(made("patients.csv")).startswith("patients.csv")


def test_it_says_that_nothing_was_charged_and_what_to_do():
    words = str(not_a_table("patients.csv"))
    for part in ("refused as a whole", "nothing was charged", "tacit doctor", "--delimiter"):
        assert part in words


def text(*names):
    """The columns of a file without types."""
    return dict.fromkeys(names)


def test_columns_are_named_unless_one_is_a_number_as_in_a_record():
    assert there(text("age", "dose 2"), "age") == "there are age, dose 2"
    for names in (["35", "north"], ["north", "3,5"], ["nan"], ["1e3", "ward"]):
        assert not any(name in there(text(*names), names[0]) for name in names)
    assert "35" not in there(
        {"35": "int64", "ward": "str"}, "ward"
    )  # a frame, read without a header


def test_columns_of_a_text_file_are_named_to_those_who_know_one_of_them():
    for asked in ((), (None,), ("sicc",), (["sicc", "aeg"], None)):
        assert not any(name in there(text("smith", "north"), *asked) for name in ("smith", "north"))
    for asked in (("age",), (None, "age"), ("sicc", ["x", "age"])):
        assert there(text("age", "sick"), *asked) == "there are age, sick"
    assert (
        there({"age": "int64", "sick": "bool"}) == "there are age, sick"
    )  # written with its types


@pytest.mark.parametrize("first", ["35,36,north,no", "smith,flu,north,no"])
def test_the_first_record_of_a_file_without_a_header_is_not_repeated(tmp_path, first):
    path = tmp_path / "headless.csv"
    path.write_text(f"{first}\n41,7,south,yes\n")
    for kind in (Thresholds(size=100), Trees(Schema.of({"age": (0, 9)}), depth=1)):
        task = tacit.Task(
            kind,
            privacy=tacit.Privacy(1),
            accuracy=tacit.Accuracy("0.1", "0.1"),
            setting="agnostic",
        )
        asked = [{"label": "sick"}, {}, {"label": "sick", "column": "age"}]
        if first.startswith("35"):  # one is a number: not even to those who name another
            asked += [{"label": "no"}, {"label": "no", "column": "age"}]
        for named in asked:
            with pytest.raises(BadInput) as error:
                tacit.learn(task, path, ledger=tacit.Ledger.memory(), **named)
            assert "north" not in str(error.value)
    with pytest.raises(BadInput) as error:
        tacit.sanitize(
            path, Thresholds(size=100), privacy=tacit.Privacy(1), column="age",
            ledger=tacit.Ledger.memory(),
        )  # fmt: skip
    assert "north" not in str(error.value)
