"""A rule with names: what it says, writes, reads back and answers are one object."""

import json

import pandas as pd
import pytest
from tests.core.named_cases import LONG, SCHEMA, SICK, TREE

from tacit.core import BadInput, Label, NamedRule, hypothesis_from_dict
from tacit.problems.tables.trees import TreeRule
from tacit.problems.thresholds.thresholds import Thresholds


def test_words_name_the_label_and_its_values():
    text = NamedRule(rule=TREE, label=SICK).describe()
    assert text.splitlines()[-1] == f"if {LONG} >= 31.25 and ward is not south: sick is no"
    assert "ward is south: sick is yes" in text
    threshold = NamedRule(rule=Thresholds(size=100).hypothesis(80), label=SICK, column="age")
    assert threshold.describe() == "sick is yes if age >= 80, else sick is no"
    other = Label(name="sick", negative=None, positive="yes")
    assert other.words == ("sick is not yes", "sick is yes")
    assert Label().words == ("0", "1")


def test_only_the_columns_that_a_rule_reads_are_needed():
    rule = NamedRule(rule=TREE, label=SICK)
    assert rule.columns == (LONG, "ward")
    rows = pd.DataFrame({"ward": ["south", "north", None], LONG: [40, 40, 3], "else": 0})
    assert rule.answers(rows) == ["yes", "no", "no"]
    constant = NamedRule(rule=TreeRule(schema=SCHEMA, root=True), label=SICK)
    assert constant.columns == ()
    assert constant.answers(rows) == ["yes"] * 3


@pytest.mark.parametrize(
    "label",
    [SICK, Label(), Label(name="y", negative=None, positive=3), Label(negative=0, positive="one")],
)
def test_a_named_rule_is_read_back(label):
    rule = NamedRule(rule=TREE, label=label)
    again = hypothesis_from_dict(json.loads(json.dumps(rule.to_dict())))
    assert again == rule
    assert len({type(value) for value in label.values}) == 1
    assert Label(negative=None, positive=1).values == (0, 1)


def test_a_damaged_label_is_refused():
    record = NamedRule(rule=TREE, label=SICK).to_dict()
    record["label"] = {"name": "sick", "negative": ["no"], "positive": "yes"}
    with pytest.raises(BadInput):
        hypothesis_from_dict(record)
