"""``tacit learn --rate-share``: one charge, a rule that says how often, and chances by predict."""

import json

import numpy as np
import pandas as pd
import pytest

from tacit import Ledger
from tacit.cli import main


@pytest.fixture
def folder(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"age": rng.integers(0, 100, 2000), "number": range(2000)})
    frame["sick"] = np.where(rng.random(2000) < np.where(frame.age > 49, 0.8, 0.1), "yes", "no")
    frame["dx_a"] = frame["dx_b"] = (frame.age > 20).astype(int)
    frame.to_csv(tmp_path / "t.csv", index=False)
    (tmp_path / "s.toml").write_text(
        '[columns.age]\nkind = "integer"\nlow = 0\nhigh = 99\nbins = 10\n', encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)
    assert main(["budget", "create", "book.db", "--epsilon", "2", "--data-set", "t"]) == 0
    return frame


LEARN = ["learn", "t.csv", "--schema", "s.toml", "--label", "sick", "--positive", "yes"]
LEARN += ["--negative", "no", "--epsilon", "1", "--ledger", "book.db"]


def test_from_the_dry_run_to_chances(folder, capsys):
    assert main([*LEARN, "--rate-share", "0.2", "--dry-run"]) == 0
    assert "cost   epsilon = 1 (" in capsys.readouterr().out
    assert main([*LEARN, "--rate-share", "0.2", "-o", "r.json"]) == 0
    told = " ".join(capsys.readouterr().out.replace("\u2502", " ").split())
    assert "sick is yes in " in told
    assert "(\u00b1 " in told
    assert "epsilon = 0.2 of the total" in told
    assert Ledger.open_existing("book.db").spent.epsilon == 1
    assert main(["verify", "r.json", "--ledger", "book.db"]) == 0
    assert "paid for exactly this release" in capsys.readouterr().out
    assert main(["certificate", "r.json"]) == 0
    page = capsys.readouterr().out
    assert "; sick is yes in " in page
    assert "**Rates.**" in page
    assert main(["predict", "r.json", "t.csv", "--id", "number", "-o", "p.csv"]) == 0
    answers = pd.read_csv("p.csv")
    assert list(answers) == ["number", "prediction", "chance_of_yes"]
    for old, rate in ((folder.age > 49, 0.8), (folder.age <= 49, 0.1)):
        assert abs(answers.chance_of_yes[old].mean() - rate) < 0.1
    assert set(answers.prediction[answers.chance_of_yes > 0.5]) == {"yes"}
    capsys.readouterr()
    assert main(["predict", "r.json", "t.csv", "--json"]) == 0
    assert 0 < json.loads(capsys.readouterr().out)[0]["chance_of_yes"] < 1


def test_a_rule_without_rates_predicts_labels_alone(folder, capsys):
    assert main([*LEARN, "-o", "r.json"]) == 0
    capsys.readouterr()
    assert main(["predict", "r.json", "t.csv"]) == 0
    assert capsys.readouterr().out.split()[0] == "prediction"


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--rate-share", "1"], "above 0 and below 1"),
        (["--rate-share", "0.2", "--rows-per-unit", "2"], "--rows-per-unit needs --unit"),
        (["--rate-share", "0.2", "--other", "ignore"], "of all records"),
        (["--rates"], "there is no option --rates; did you mean --rate-share?"),
        (["--rates", "--verbose"], "there is no option --rates; did you mean --rate-share?"),
    ],
)
def test_refusals_cost_nothing(folder, capsys, more, said):
    assert main([*LEARN, *more]) == 2
    assert said in capsys.readouterr().err
    assert Ledger.open_existing("book.db").spent.epsilon == 0


def test_several_label_columns_have_chances_each(folder, capsys):
    create = ["budget", "create", "many.db", "--epsilon", "1", "--delta", "1e-6", "--data-set", "t"]
    assert main(create) == 0
    words = ["learn", "t.csv", "--schema", "s.toml", "--labels", "dx_*,sick=yes/no"]
    words += ["--epsilon", "1", "--delta", "1e-6", "--ledger", "many.db", "--rate-share", "0.2"]
    assert main([*words, "-o", "r.json"]) == 0
    told = " ".join(capsys.readouterr().out.replace("\u2502", " ").split())
    assert "sick is yes in " in told
    assert "parts of the 3 rules the records of each label were counted" in told
    assert Ledger.open_existing("many.db").spent.epsilon == 1
    assert main(["verify", "r.json", "--ledger", "many.db"]) == 0
    assert main(["predict", "r.json", "t.csv", "--id", "number", "-o", "p.csv"]) == 0
    answers = pd.read_csv("p.csv")
    each = [("dx_a", "1"), ("dx_b", "1"), ("sick", "yes")]
    told = [one for name, value in each for one in (name, f"chance_of_{name}_{value}")]
    assert list(answers) == ["number", *told]
    for old, rate in ((folder.age > 49, 0.8), (folder.age <= 49, 0.1)):
        assert abs(answers.chance_of_sick_yes[old].mean() - rate) < 0.1
    assert answers.chance_of_dx_a_1[folder.age > 20].mean() > 0.8


def test_answers_and_chances_of_several_labels_have_names_of_their_own(folder, capsys):
    folder["chance_of_dx_a_1"] = folder.dx_b
    folder.to_csv("t.csv", index=False)
    words = ["learn", "t.csv", "--schema", "s.toml", "--labels", "dx_a,chance_of_dx_a_1"]
    words += ["--epsilon", "1", "--delta", "1e-6", "--no-ledger", "--rate-share", "0.2"]
    assert main([*words, "-o", "r.json"]) == 0
    capsys.readouterr()
    assert main(["predict", "r.json", "t.csv"]) == 0
    told = capsys.readouterr().out.split("\n")[0].split(",")
    assert told[:3] == ["dx_a", "chance_of_dx_a_1_", "chance_of_dx_a_1"]
    assert len(set(told)) == 4


def test_rows_of_persons_are_counted_from_the_dry_run_to_chances(folder, capsys):
    folder.assign(number=folder.number // 2).to_csv("t.csv", index=False)
    create = ["budget", "create", "persons.db", "--epsilon", "1", "--data-set", "t"]
    assert main([*create, "--unit", "number"]) == 0
    learn = [*LEARN[:-1], "persons.db", "--unit", "number", "--rows-per-unit", "2"]
    learn += ["--rate-share", "0.2"]
    assert main([*learn, "--dry-run"]) == 0
    assert "cost   epsilon = 1 (" in capsys.readouterr().out
    assert main([*learn, "-o", "r.json"]) == 0
    told = " ".join(capsys.readouterr().out.replace("\u2502", " ").split())
    assert "sick is yes in " in told
    assert "the rows of each label (at most 2 rows of each person) were counted" in told
    assert Ledger.open_existing("persons.db").spent.epsilon == 1
    assert main(["verify", "r.json", "--ledger", "persons.db"]) == 0
    assert main(["predict", "r.json", "t.csv", "-o", "p.csv"]) == 0
    answers = pd.read_csv("p.csv")
    assert list(answers) == ["prediction", "chance_of_yes"]
    for old, rate in ((folder.age > 49, 0.8), (folder.age <= 49, 0.1)):
        assert abs(answers.chance_of_yes[old].mean() - rate) < 0.1
    plan = ["plan", "--schema", "s.toml", "--unit", "number", "--rows-per-unit", "2"]
    assert main([*plan, "--epsilon", "1", "--rate-share", "0.2"]) == 0
    rated = capsys.readouterr().out
    assert main([*plan, "--epsilon", "0.8"]) == 0
    assert capsys.readouterr().out in rated


def test_a_plan_knows_what_the_rates_leave(folder, capsys):
    plan = ["plan", "--schema", "s.toml"]
    assert main([*plan, "--epsilon", "1", "--rate-share", "0.2"]) == 0
    rated = capsys.readouterr().out
    assert main([*plan, "--epsilon", "0.8"]) == 0
    assert capsys.readouterr().out == rated
    more = ["--k", "2", "--delta", "1e-6"]
    assert main([*plan, *more, "--epsilon", "1", "--rate-share", "0.2"]) == 0
    rated = capsys.readouterr().out
    assert main([*plan, *more, "--epsilon", "0.8"]) == 0
    assert capsys.readouterr().out == rated


def test_chances_of_several_labels(folder, capsys):
    levels = np.array(["low", "middle", "high"])[np.digitize(folder.age, [30, 60])]
    folder.assign(level=levels).to_csv("t.csv", index=False)
    words = ["learn", "t.csv", "--schema", "s.toml", "--label", "level", "--epsilon", "1"]
    words += ["--classes", "low,middle,high", "--ledger", "book.db", "--rate-share", "0.2"]
    assert main([*words, "-o", "r.json"]) == 0
    assert "(each \u00b1 " in " ".join(capsys.readouterr().out.replace("\u2502", " ").split())
    assert Ledger.open_existing("book.db").spent.epsilon == 1
    assert main(["verify", "r.json", "--ledger", "book.db"]) == 0
    assert main(["predict", "r.json", "t.csv", "--id", "number", "-o", "p.csv"]) == 0
    answers = pd.read_csv("p.csv")
    chances = [f"chance_of_{one}" for one in ("low", "middle", "high")]
    assert list(answers) == ["number", "prediction", *chances]
    assert np.allclose(answers[chances].sum(axis=1), 1)
    for name in ("low", "high"):
        right = answers[f"chance_of_{name}"][levels == name]
        assert right.mean() > 0.6
