"""``tacit learn --cost``: costs by label or balanced, a file that verifies and predicts."""

import json
from itertools import product

import numpy as np
import pandas as pd
import pytest
from tests.cli.class_words import SCHEMA

from tacit import load, verify
from tacit.cli import main


@pytest.fixture
def people(tmp_path):
    rng = np.random.default_rng(5)
    frame = pd.DataFrame({"age": rng.integers(0, 100, 3000), "sex": rng.choice(["f", "m"], 3000)})
    chance = np.where(frame["age"] >= 75, 0.3, 0.01)
    frame["sick"] = np.where(rng.random(3000) < chance, "yes", "no")
    frame.to_csv(tmp_path / "people.csv", index=False)
    (tmp_path / "schema.toml").write_text(SCHEMA)
    return tmp_path


def learn(folder, *more):
    words = ["--schema", folder / "schema.toml", "--label", "sick", "--positive", "yes"]
    words += ["--epsilon", 2, "--no-ledger", "-o", folder / "rule.json", "--force"]
    return main(["learn", *map(str, [folder / "people.csv", *words, *more])])


TREES = list(product(["tree", "rule", "rule-list", "stump"], ["yes=20,no=1", "balanced"]))


@pytest.mark.parametrize(("model", "cost"), [*TREES, ("score", "balanced"), ("box", "yes=20,no=1")])
def test_costs_from_the_command_line(people, model, cost, capsys):
    assert learn(people, "--model", model, "--negative", "no", "--cost", cost) == 0
    said = capsys.readouterr().out
    assert "where the label is yes" in said
    record = json.loads((people / "rule.json").read_text())
    labels = record["certificate"]["certified"]["measured"]["labels"]
    assert [one["label"] for one in labels] == ["no", "yes"]
    if cost != "balanced":
        assert [one["cost"] for one in labels] == [1, 20]
    assert verify(people / "rule.json")
    release = load(people / "rule.json")
    frame = pd.read_csv(people / "people.csv")
    alarms = release.value.predict(frame)
    assert np.mean(alarms[frame["age"] >= 75]) > 0.9


def test_a_changed_cost_does_not_verify(people):
    assert learn(people, "--negative", "no", "--cost", "balanced") == 0
    record = json.loads((people / "rule.json").read_text())
    record["certificate"]["certified"]["measured"]["labels"][1]["cost"] += 1
    (people / "rule.json").write_text(json.dumps(record))
    assert not verify(people / "rule.json")


def test_costs_that_cannot_be_are_told(people, capsys):
    for words, said in (
        (["--cost", "yes"], "--cost takes balanced, or a whole number by label"),
        (["--cost", "maybe=3"], "costs name the label 'maybe'"),
        (["--cost", "yes=3", "--model", "boosted"], "--cost is not for --model boosted; it is for"),
        (["--cost", "yes=3", "--model", "additive"], "rule-list, score, stump"),
        (
            ["--cost", "yes=3", "--model", "conjunction", "--form", "cnf", "--clauses", "5"],
            "use fewer levels or clauses, or leave costs out",
        ),
        (["--cost", "yes=1000"], "whole numbers up to 100"),
    ):
        assert learn(people, *words) == 2
        assert said in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize("model", ["tree", "score", "box"])
def test_plans_take_costs(people, model, capsys):
    words = ["plan", "--schema", str(people / "schema.toml"), "--epsilon", "1", "--model", model]
    assert main([*words, "--cost", "yes=20,no=1"]) == 0
    assert "(costs)" in capsys.readouterr().out
    assert main([*words, "--cost", "balanced", "--verbose"]) == 0
    assert "of them no rule" in " ".join(capsys.readouterr().out.split())


def test_a_scoring_rule_by_costs_is_certified_verified_and_applied(people, capsys):
    assert learn(people, "--model", "score", "--negative", "no", "--cost", "yes=20") == 0
    capsys.readouterr()
    rule = str(people / "rule.json")
    assert main(["certificate", rule]) == 0
    assert "where the label is yes (cost 20 each)" in " ".join(capsys.readouterr().out.split())
    assert main(["verify", rule]) == 0
    answers = people / "answers.csv"
    assert main(["predict", rule, str(people / "people.csv"), "-o", str(answers)]) == 0
    assert set(pd.read_csv(answers).iloc[:, -1]) == {"no", "yes"}


def test_a_plan_says_the_unit_of_its_error(people, capsys):
    words = ["plan", "--schema", str(people / "schema.toml"), "--epsilon", "1"]
    for more in ([], ["--n", "3000"], ["--verbose"]):
        for cost in ("yes=20,no=1", "yes=20"):
            assert main([*words, "--cost", cost, *more]) == 0
            said = " ".join(capsys.readouterr().out.split())
            assert "an error of 0.1 times the greatest cost above" in said
            assert "the greatest cost, 20: an error of 0.1 is a cost of 2 a record" in said
    assert main([*words, "--cost", "yes=0"]) == 2
    capsys.readouterr()
    assert main([*words, "--cost", "balanced"]) == 0
    assert "a mistake on the rarer label costs most" in " ".join(capsys.readouterr().out.split())
    assert main(words) == 0
    assert "cost" not in capsys.readouterr().out.replace("costs most", "")
    assert main(["plan", "--help"]) == 0
    assert "--cost " in capsys.readouterr().out


@pytest.mark.parametrize("cost", ["balanced", "yes=20"])
def test_costs_of_persons_are_planned_learned_and_verified(people, cost, capsys):
    frame = pd.read_csv(people / "people.csv")
    frame.assign(pid=range(len(frame)), ill=frame["sick"]).to_csv(
        people / "people.csv", index=False
    )
    plan = ["plan", "--schema", str(people / "schema.toml"), "--epsilon", "1", "--unit", "pid"]
    assert main([*plan, "--cost", cost]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "persons suffice" in said
    assert "a person on average" in said
    assert learn(people, "--negative", "no", "--unit", "pid", "--cost", cost) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "3000 persons (one row of each), counted with noise" in said
    assert "where the label is yes (cost " in said
    told = verify(people / "rule.json")
    assert told
    assert "the bounds on error and cost follow from the noisy mistakes on 3000 persons" in str(
        told
    )
    several = [str(people / "people.csv"), *plan[1:3], "--positive", "yes", "--negative", "no"]
    more = ["--labels", "sick,ill", "--delta", "1e-6", "--no-ledger", "--cost", cost]
    more += ["--unit", "pid", "--epsilon", "8"]
    out = ["-o", str(people / "several.json")]
    assert main(["learn", *several, *more, *out]) == 0
    assert verify(people / "several.json")


@pytest.mark.parametrize("unit", [[], ["--unit", "pid"]], ids=["rows", "persons"])
@pytest.mark.parametrize("cost", ["balanced", "sick=20,ill=3"])
def test_costs_of_three_labels_from_the_command_line(people, cost, unit, capsys):
    frame = pd.read_csv(people / "people.csv")
    state = np.where(frame["sick"] == "yes", "sick", np.where(frame["sex"] == "f", "ill", "well"))
    table = frame.drop(columns="sick").assign(state=state, pid=range(len(frame)))
    table.to_csv(people / "people.csv", index=False)
    schema = ["--schema", str(people / "schema.toml"), "--epsilon", "2"]
    words = [*schema, "--classes", "well,ill,sick", "--cost", cost, *unit]
    assert main(["plan", *words]) == 0
    assert "(costs)" in capsys.readouterr().out
    out = ["-o", str(people / "rule.json")]
    asked = ["learn", str(people / "people.csv"), "--label", "state", *words, "--no-ledger", *out]
    assert main(asked) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "where the label is ill (cost" in said
    assert verify(people / "rule.json")
    answers = people / "answers.csv"
    assert main(["predict", str(people / "rule.json"), str(people / "people.csv"), "-o",
                 str(answers)]) == 0  # fmt: skip
    found = pd.read_csv(answers).iloc[:, -1]
    assert np.mean(found[frame["age"] >= 80] == "sick") > 0.9
    capsys.readouterr()
    for wrong, words in (
        ("gone=3", "costs name the label 'gone', and the declared ones are 'well', 'ill' and"),
        ("sick=1000", "whole numbers up to 100"),
        ("sick=0,ill=0,well=0", "one of them above 0"),
    ):
        told = ["--classes", "well,ill,sick", "--cost", wrong]
        for run in (["plan", *schema, *told], ["learn", str(people / "people.csv"), "--label",
                    "state", *schema, *told, "--no-ledger", "-o", "x.json"]):  # fmt: skip
            assert main(run) == 2
            assert words in " ".join(capsys.readouterr().err.split())
    several = ["--classes", "well,ill,sick", "--cost", "sick=3", "--model", "box"]
    assert main(["plan", *schema, *several]) == 2
    assert "for more, use --model" in " ".join(capsys.readouterr().err.split())
