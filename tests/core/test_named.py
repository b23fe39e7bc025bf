"""A rule with names: what it says, writes, reads back and answers are one object."""

import json
import re
from html import unescape

import pandas as pd
import pytest

from tacit.core import BadInput, Label, NamedRule, hypothesis_from_dict
from tacit.domains import Schema
from tacit.problems.tables.scores import ScoreRule
from tacit.problems.tables.trees import Cut, TreeRule
from tacit.problems.thresholds.thresholds import Thresholds
from tacit.report.score_svg import score_svg
from tacit.report.tree_svg import tree_svg

LONG = "number of previous stays in any hospital of the region"
SCHEMA = Schema.of({LONG: (0, 500), "ward": ("north", "south"), "unused": bool})
TREE = TreeRule(
    schema=SCHEMA,
    root=(Cut(0, 1, ordered=True), False, (Cut(1, 2, ordered=False), True, False)),
)
SICK = Label(name="sick", negative="no", positive="yes")


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


def shown(svg):
    """The text of a drawing, boxes one after the other."""
    drawn = svg[svg.index("</title>") :]
    return [
        unescape(" ".join(re.findall(r">([^<]+)</tspan>", box)))
        for box in re.findall(r"<g>.*?</g>", drawn)
    ]


def test_a_drawing_shows_every_number_and_every_letter_of_a_name():
    boxes = shown(tree_svg(TREE, labels=SICK.words))
    assert f"{LONG} < 31.25 (or missing or anything else)" in boxes
    assert "ward is south" in boxes
    assert boxes.count("sick is no") == 2
    assert boxes.count("sick is yes") == 1
    lines = re.findall(r">([^<]+)</tspan>", tree_svg(TREE, labels=SICK.words))
    assert max(map(len, lines)) <= 25


def test_a_card_wraps_long_names():
    rule = ScoreRule(schema=SCHEMA, columns=(0, 2), weights=(1, -2), threshold=3, top=16)
    svg = score_svg(rule, labels=SICK.words)
    lines = re.findall(r">([^<]+)</text>", svg)
    assert max(map(len, lines)) <= 72
    assert "sick is yes" in " ".join(lines)
