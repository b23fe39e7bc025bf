"""What is said of a file that cannot be read is the same whatever its records hold."""

from inspect import signature

import pytest

import tacit
from tacit.classes import Thresholds
from tacit.core import BadInput
from tacit.sources.words import changed, not_a_table, there


def test_a_message_knows_nothing_but_the_name():
    for made in (changed, not_a_table):
        assert list(signature(made).parameters) == ["name"]
        assert str(made("patients.csv")).startswith("patients.csv")


def test_it_says_that_nothing_was_charged_and_what_to_do():
    words = str(not_a_table("patients.csv"))
    for part in ("refused as a whole", "nothing was charged", "tacit doctor", "--delimiter"):
        assert part in words


def test_columns_are_named_unless_one_is_a_number_as_in_a_record(tmp_path):
    assert there(["age", "dose 2"]) == "there are age, dose 2"
    path = tmp_path / "headless.csv"
    path.write_text("35,36,north,no\n41,7,south,yes\n")
    for names in (["35", "north"], ["north", "3,5"], ["nan"], ["1e3", "ward"]):
        assert not any(name in there(names) for name in names)
    task = tacit.Task(
        Thresholds(size=100), privacy=tacit.Privacy(1), accuracy=tacit.Accuracy("0.1", "0.1")
    )
    for named in ({"label": "sick"}, {"label": "no"}, {"label": "no", "column": "age"}, {}):
        with pytest.raises(BadInput) as error:
            tacit.learn(task, path, ledger=tacit.Ledger.memory(), **named)
        assert "north" not in str(error.value)
