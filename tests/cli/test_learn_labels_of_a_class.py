"""``tacit learn --class ... --labels a,b``: one rule a label, with the names of all of them."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tacit import load
from tacit.cli import main
from tacit.report.release_file import digest_of, release_text

LEARN = ["learn", "t.csv", "--epsilon", "4", "--no-ledger", "--positive", "yes", "--negative", "no"]
THRESHOLDS = ["--class", "thresholds", "--size", "120", "--column", "age"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({"pid": np.arange(3000) % 1500, "age": rng.integers(0, 120, 3000)})
    frame["x"], frame["y"] = rng.integers(0, 8, (2, 3000))
    for name, cut in (("frail", 60), ("old", 90), ("aged", 75)):
        frame[name] = np.where(frame["age"] >= cut, "yes", "no")
    frame.to_csv("t.csv", index=False)
    frame.to_parquet("t.parquet")
    return frame


@pytest.mark.parametrize("more", [[], ["--delta", "1e-6"], ["--unit", "pid"]], ids=str)
@pytest.mark.parametrize("data", ["t.csv", "t.parquet"])
def test_rules_certificate_and_answers_have_the_names_of_the_labels(folder, data, more, capsys):
    told = [LEARN[0], data, *LEARN[2:], *THRESHOLDS, "--labels", "frail,o*", *more]
    assert main([*told, "-o", "r.json"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "frail: frail is yes if age >= " in said
    assert "each of the 2 rules (frail, old) errs on at most a fraction 0.1" in said
    assert main(["verify", "r.json"]) == 0
    capsys.readouterr()
    assert main(["predict", "r.json", data, "--id", "pid"]) == 0
    lines = capsys.readouterr().out.split()
    assert lines[0] == "pid,frail,old"
    answers = np.array([line.split(",")[1:] for line in lines[1:]])
    assert (answers == folder[["frail", "old"]].to_numpy()).mean() > 0.9
    assert (load("r.json").predict(folder) == answers).all()
    record = json.loads(Path("r.json").read_text())
    assert record["certificate"]["recipe"]["labels"] == ["frail", "old"]
    record["certificate"]["recipe"]["labels"] = ["old", "frail"]
    record["digests"]["release"] = digest_of(record)
    Path("other.json").write_text(release_text(record))
    assert main(["verify", "other.json"]) != 0


def test_weights_of_records_are_refused_with_the_reason(folder, capsys):
    assert main([*LEARN, *THRESHOLDS, "--label", "frail", "--weight", "x"]) == 2
    assert "--weight: weights of records are out of scope" in capsys.readouterr().err


def test_a_rule_over_two_columns_is_applied_to_both(folder, capsys):
    words = [*LEARN, "--class", "grid-boxes", "--bits", "3", "--columns", "2", "--column", "x,y"]
    assert main([*words, "--labels", "frail,old", "-o", "r.json"]) == 0
    assert main(["verify", "r.json"]) == 0
    capsys.readouterr()
    assert main(["predict", "r.json", "t.csv"]) == 0
    lines = capsys.readouterr().out.split()
    answers = np.array([line.split(",") for line in lines[1:]])
    assert (load("r.json").predict(folder) == answers).all()


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--labels", "frail"], "at least two different label columns"),
        (["--labels", "frail,age"], "must not be the --column"),
        (["--labels", "frail=yes/no,old"], "same two values"),
        (["--labels", "frail,old", "--shared"], "--shared needs --schema"),
        (["--labels", "frail,old", "--own"], "--own needs --schema"),
        (["--labels", "frail,old", "--other", "ignore"], "leave out --other"),
        (["--labels", "none_*"], "no column fits"),
        (["--labels", "frail,old", "--label", "old"], "not both"),
    ],
)
def test_what_a_class_does_not_take_is_refused_and_writes_nothing(tmp_path, more, said, capsys):
    assert main([*LEARN, *THRESHOLDS, *more, "-o", "r.json"]) == 2
    assert said in " ".join(capsys.readouterr().err.split())
    assert not (tmp_path / "r.json").exists()


def test_a_class_over_a_table_leaves_several_labels_to_models(tmp_path, capsys):
    (tmp_path / "s.toml").write_text('[columns.age]\nkind = "number"\nlow = 0\nhigh = 120\n')
    words = [*LEARN, "--class", "trees", "--schema", "s.toml", "--depth", "1"]
    assert main([*words, "--labels", "frail,old"]) == 2
    assert "--schema without --class" in " ".join(capsys.readouterr().err.split())


def test_a_plan_counts_the_labels_of_a_class(capsys):
    words = ["plan", "--class", "points", "--bits", "20", "--epsilon", "1"]
    told = []
    for more in (["--labels", "a,b,c"], ["--k", "3"]):
        assert main([*words, *more]) == 0
        told.append(capsys.readouterr().out)
    assert told[0] == told[1]
    assert main([*words, "--labels", "a=1/0,b"]) == 2
    assert "same two values" in capsys.readouterr().err
