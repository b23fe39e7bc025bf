"""A rule with names: what it says, writes, reads back and answers are one object."""

import json

import pandas as pd
import pytest
from tests.core.named_cases import LONG, SCHEMA, SICK, TREE

from tacit.core import BadInput, Label, NamedRule, hypothesis_from_dict
from tacit.domains.bits import Bits
from tacit.domains.plane import Plane
from tacit.domains.rows import Rows
from tacit.domains.sphere import Sphere
from tacit.problems.boxes.grid_boxes import GridBoxRule
from tacit.problems.formulas.k_term_dnf import CnfRule, DnfRule
from tacit.problems.lines.lines import LineRule
from tacit.problems.parities.parities import ParityRule
from tacit.problems.reals.halfspaces import HalfspaceRule
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


ROWS = ("age", "weight")
"""Names for rules that read two columns in their order."""


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (
            GridBoxRule(domain=Rows(bits=7, width=2), sides=((18, 65), (0, 80))),
            "sick is yes if 18 <= age < 65 and weight < 80 (or missing or not a number), "
            "else sick is no",
        ),
        (
            ParityRule(domain=Bits(columns=2), mask=1),
            "sick is yes if an odd number of {weight} are 1, else sick is no",
        ),
        (
            DnfRule(domain=Bits(columns=2), terms=((3, 2),)),
            "sick is yes if (age and not weight), else sick is no",
        ),
        (
            CnfRule(domain=Bits(columns=2), clauses=((3, 2),)),
            "sick is yes if (not age or weight), else sick is no",
        ),
        (
            HalfspaceRule(normal=(3, -1)),
            "sick is yes if +3 age -1 weight >= 0, else sick is no\n"
            + Sphere(columns=2).placing("age"),
        ),
        (
            LineRule(domain=Plane(size=5), slope=2, offset=1),
            "sick is yes if (age, weight) lies on y = 2 x + 1 modulo 5, else sick is no",
        ),
    ],
    ids=lambda one: getattr(one, "kind", ""),
)
def test_a_rule_over_rows_names_its_columns(rule, words):
    named = NamedRule(rule=rule, label=SICK, rows=ROWS)
    assert named.columns == ROWS
    assert named.describe() == words
    record = json.loads(json.dumps(named.to_dict()))
    assert hypothesis_from_dict(record) == named


def test_every_column_of_a_row_has_a_name():
    rule = HalfspaceRule(normal=(3, -1))
    for rows in (("age",), ("age", "weight", "height")):
        with pytest.raises(BadInput, match="another number of columns"):
            NamedRule(rule=rule, label=SICK, rows=rows)
    record = NamedRule(rule=rule, label=SICK, rows=ROWS).to_dict()
    for damaged in ("age", [1, 2], {"age": 1}):
        with pytest.raises(BadInput):
            hypothesis_from_dict(record | {"columns": damaged})
