"""What a released rule says in words must be enough to apply it by hand, in one reading."""

import json
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from tacit.cli import main
from tacit.domains import Schema, grid_from_public
from tacit.domains.placing import as_floats
from tacit.estimators import (
    BoxClassifier,
    RuleListClassifier,
    ScoreClassifier,
    TreeClassifier,
)
from tacit.problems.tables.products import Condition
from tacit.problems.tables.scores import ScoreRule
from tacit.problems.tables.tree_nodes import Cut
from tacit.problems.tables.trees import TreeRule
from tacit.report.release_file import load

SCHEMA = Schema.of(
    {
        "age": {"kind": "integer", "low": 0, "high": 9, "bins": 5},
        "dose": {"kind": "number", "low": 0, "high": 1, "bins": 4},
        "smoker": bool,
    }
)


def by_hand(rule, row):
    """The rule applied by nothing but its words."""
    first, *legend = rule.describe().splitlines()
    score, threshold = re.fullmatch(r"1 if (.*) >= (-?\d+), else 0", first).groups()
    total = 0
    for sign, size, name in re.findall(r"([-+]?) ?(?:(\d+) x )?level\((\w+)\)", score):
        (said,) = (line for line in legend if line.startswith(f"level({name}): "))
        level = None
        for level_here, words in re.findall(r"(\d+) ([^,]+)", said.split(": ")[1]):
            kind, _, border = words.partition(" ")
            border = border if kind in ("below", "from") else ""
            value = row[name]
            holds = {
                "missing": value is None,
                "false": value is False,
                "true": value is True,
                "below": value is not None and kind == "below" and value < float(border or 0),
                "from": value is not None and kind == "from" and value >= float(border or 0),
            }[kind]
            level = int(level_here) if holds else level
        total += (-1 if sign == "-" else 1) * int(size or 1) * level
    return total >= int(threshold)


@pytest.mark.parametrize(
    ("weights", "threshold"), [((1, 2, 1), 9), ((-2, 1, 1), 2), ((1, -1, -2), -6)]
)
def test_a_scoring_rule_can_be_applied_by_its_words(weights, threshold):
    rule = ScoreRule(schema=SCHEMA, columns=(0, 1, 2), weights=weights, threshold=threshold, top=4)
    rows = [
        {"age": age, "dose": dose, "smoker": smoker}
        for age in (*range(10), None)
        for dose in (None, 0.0, 0.25, 0.6, 1.0)
        for smoker in (False, True, None)
    ]
    answers = rule.predict(pd.DataFrame(rows))
    assert answers.tolist() == [by_hand(rule, row) for row in rows]
    assert 0 < answers.sum() < len(rows)


def test_the_classifier_says_and_draws_the_levels():
    x = pd.DataFrame({"age": np.arange(100) % 10, "dose": 0.5, "smoker": True})
    model = ScoreClassifier(domain=SCHEMA, epsilon=5).fit(x, x["age"] > 4)
    assert "level(" in model.describe().splitlines()[-1]
    assert ": 0 " in model.describe()
    assert ": 0 " in model.to_svg()


def test_truth_values_of_a_public_sample_stay_truth_values():
    schema = grid_from_public(pd.DataFrame({"smoker": [True, False, True], "age": [1, 2, 3]}))
    assert schema.fields[0].below(0, name="smoker") == (
        "smoker is missing or anything else",
        "smoker is true or false",
    )
    assert schema.fields[0].below(1, name="smoker")[1] == "smoker is true"
    assert schema.fields[1].kind == "number"


def test_missing_is_not_read_across_an_and():
    words = SCHEMA.fields[1].below(1, name="dose")
    assert words == (
        "dose < 0.25 (or missing or anything else)",
        "dose >= 0.25",
    )


def test_an_answer_is_not_repeated_by_a_sharper_one():
    schema = Schema.of(
        {
            "dose": {"kind": "number", "low": 0, "high": 1, "bins": 4, "missing": "own"},
            "ward": {"kind": "category", "values": ["a", "b"]},
        }
    )
    ward, west = Cut(1, 0, ordered=False), Cut(1, 1, ordered=False)
    tree = (Cut(0, 2, ordered=True), False, (Cut(0, 4, ordered=True), True, False))
    rule = TreeRule(schema=schema, root=(ward, tree, (west, True, False)))
    assert rule.paths() == [
        (["ward is missing or anything else", "dose < 0.25 (or missing or anything else)"], False),
        (["ward is missing or anything else", "dose >= 0.25", "dose < 0.75"], True),
        (["ward is missing or anything else", "dose >= 0.75"], False),
        (["ward is a"], True),
        (["ward is a or b", "ward is not a"], False),
    ]
    assert Condition(column=0, first=3, last=4).words(schema) == ["dose >= 0.25", "dose < 0.75"]


def test_whole_borders_are_said_in_full():
    column = Schema.of({"income": (0, 39_506_944)}, bins=32).fields[0]
    assert column.below(1, name="income")[1] == "income >= 1234592"


def test_a_date_has_one_number_whatever_its_unit():
    days = np.array(["1970-01-02", "1969-12-31", "NaT"], dtype="datetime64[D]")
    for unit in ("D", "h", "m", "s", "ms", "us", "ns"):
        assert np.array_equal(
            as_floats(days.astype(f"datetime64[{unit}]")), [1, -1, np.nan], equal_nan=True
        )
    assert as_floats(np.array(["1971-01"], dtype="datetime64[M]")).tolist() == [365]
    assert as_floats(np.array([2], dtype="timedelta64[W]")).tolist() == [14]
    assert as_floats(np.array([36], dtype="timedelta64[h]")).tolist() == [1.5]


def test_a_rule_fitted_on_dates_of_one_unit_reads_another():
    x = pd.DataFrame({"day": pd.Timestamp("2020-01-01") + pd.to_timedelta(np.arange(200), "D")})
    model = TreeClassifier(
        relation="label", epsilon=10, classes=(False, True), public_columns="all"
    )
    model.fit(x, np.arange(200) >= 100)
    coarse, fine = (model.predict(x.astype(f"datetime64[{unit}]")) for unit in ("s", "ns"))
    assert 0 < fine.sum() < 200
    assert np.array_equal(coarse, fine)


def test_the_command_line_says_what_one_means(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    pd.DataFrame({"age": range(50), "grade": ["fine", "bad"] * 25}).to_csv("t.csv", index=False)
    (tmp_path / "s.toml").write_text('[columns.age]\nkind = "integer"\nlow = 0\nhigh = 99\n')
    command = ["learn", "t.csv", "--label", "grade", "--positive", "fine", "--epsilon", "1"]
    command.append("--no-ledger")
    assert main([*command, "--schema", "s.toml", "-o", "r.json"]) == 0
    said = capsys.readouterr().out
    assert "grade is fine" in said or "grade is not fine" in said
    record = json.loads((tmp_path / "r.json").read_text())
    assert record["classes"] == ["not fine", "fine"]
    assert record["label"] == {"name": "grade", "negative": None, "positive": "fine"}
    words = load(tmp_path / "r.json").describe()
    assert all("grade is" in line for line in words.splitlines())
    assert main(command) == 2
    assert "--schema" in capsys.readouterr().err


def test_one_of_a_thing_is_not_several():
    rules = RuleListClassifier(domain=SCHEMA, depth=1).fit(np.zeros((9, 3)), np.zeros(9, dtype=int))
    assert "at most 1 question over" in rules.certificate_.what
    boxes = BoxClassifier(domain=SCHEMA, columns=[("age",)]).fit(
        np.zeros((9, 3)), np.zeros(9, dtype=int)
    )
    assert "1 chosen set of up to 1 column," in boxes.certificate_.what


@pytest.mark.parametrize("written", ["True", "true", "TRUE"])
@pytest.mark.parametrize("asked", ["true", "True"])
def test_truth_values_of_a_text_file_are_read_however_they_are_written(
    written, asked, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{age},{written if age > 49 else 'False'}\n" for age in range(100))
    (tmp_path / "t.csv").write_text("age,sick\n" + rows)
    (tmp_path / "s.toml").write_text(
        '[columns.age]\nkind = "integer"\nlow = 0\nhigh = 99\ncomplete = true\n'
    )
    command = ["learn", "t.csv", "--schema", "s.toml", "--label", "sick", "--positive", asked]
    assert main([*command, "--epsilon", "20", "--no-ledger"]) == 0
    assert f"age >= 50: sick is {asked}" in capsys.readouterr().out


def test_a_noisy_count_is_not_said_to_be_negative():
    x = pd.DataFrame({"age": np.arange(100) % 10, "dose": 0.5, "smoker": True})
    model = TreeClassifier(domain=SCHEMA, epsilon=5).fit(x, x["age"] > 99)
    counted = replace(model.certificate_.measured, noisy_mistakes=-7)
    below = replace(model.certificate_, measured=counted)
    assert "About 0 mistakes" in str(below)
    assert below.to_dict()["certified"]["measured"]["noisy_mistakes"] == -7
