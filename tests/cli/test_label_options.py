"""Tests of ``tacit.cli.label_options``: several label values from a file to predictions."""

import csv
import io
import json

import numpy as np
import pytest

import tacit
from tacit.cli import main
from tacit.cli.label_options import LabelOptions, read_values
from tacit.core import BadInput

COLOURS = ("red", "green", "deep, blue")
N = 3000


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("colours")
    rng = np.random.default_rng(1)
    rows = [
        (round(float(a), 3), int(b))
        for a, b in zip(rng.random(N), rng.integers(0, 2, N), strict=True)
    ]
    with (path / "a.csv").open("w", newline="", encoding="utf-8") as stream:
        lines = csv.writer(stream)
        lines.writerow(("id", "x", "b", "colour"))
        for place, (x, b) in enumerate(rows):
            told = "red" if x < 0.5 else COLOURS[1 + b]
            lines.writerow((place, x, b, "" if place % 50 == 0 else told))
    (path / "s.toml").write_text(
        '[columns.x]\nkind = "number"\nlow = 0\nhigh = 1\n[columns.b]\nkind = "boolean"\n'
    )
    return path


@pytest.fixture
def run(capsys):
    """A command: its exit code, and all that it printed."""

    def done(*words):
        code = main([str(word) for word in words])
        told = capsys.readouterr()
        return code, told.out + told.err

    return done


def learn(run, folder, *options):
    return run(
        "learn", folder / "a.csv", "--schema", folder / "s.toml", "--label", "colour",
        "--epsilon", "4", "--no-ledger", *options,
    )  # fmt: skip


CLASSES = ("--classes", 'red,green,"deep, blue"')


def test_a_rule_with_three_labels_is_learned_verified_and_applied(run, folder, tmp_path):
    file = tmp_path / "r.json"
    code, said = learn(run, folder, *CLASSES, "-o", file)
    assert code == 0, said
    words = " ".join(said.replace("│", " ").split())
    for colour in COLOURS:
        assert f"colour is {colour}" in words
    assert "The same answer for everybody, red, would err on" in words
    assert "% have the label red, " in words
    assert "counts as red, the first of the declared ones" in words
    assert run("verify", file)[0] == 0
    code, said = run("predict", file, folder / "a.csv", "--id", "id")
    assert code == 0
    table = list(csv.DictReader(io.StringIO(said)))
    assert {row["prediction"] for row in table} == set(COLOURS)
    again = tacit.load(file)
    assert again.classes == COLOURS
    assert again.predict([(0.1, True)]).tolist() == ["red"]
    record = json.loads(file.read_text())
    assert record["label"] == {"name": "colour", "values": list(COLOURS)}
    measured = record["certificate"]["certified"]["measured"]
    counts = {one["label"]: one["count"] for one in measured["values"]}
    assert set(counts) == set(COLOURS)
    assert abs(sum(counts.values()) - N) < 300


def test_changed_names_and_counts_are_found(run, folder, tmp_path):
    file = tmp_path / "r.json"
    assert learn(run, folder, *CLASSES, "-o", file)[0] == 0
    record = json.loads(file.read_text())
    record["classes"][0] = record["label"]["values"][0] = "mauve"
    (tmp_path / "changed.json").write_text(json.dumps(record))
    assert run("verify", tmp_path / "changed.json")[0] != 0
    record = json.loads(file.read_text())
    record["classes"] = record["classes"][:2]
    (tmp_path / "short.json").write_text(json.dumps(record))
    assert run("verify", tmp_path / "short.json")[0] == 2


def test_all_other_labels_have_one_of_their_own(run, folder, tmp_path):
    file = tmp_path / "r.json"
    code, said = learn(run, folder, "--classes", "red,green", "--other", "class", "-o", file)
    assert code == 0, said
    assert "colour is other" in " ".join(said.split())
    assert run("verify", file)[0] == 0
    assert tacit.load(file).classes == ("red", "green", "other")
    same = learn(
        run, folder, "--negative", "red", "--positive", "green", "--other", "class", "--json"
    )
    assert same[0] == 0
    assert json.loads(same[1])["classes"] == ["red", "green", "other"]


def test_two_classes_are_a_negative_and_a_positive_one(run, folder):
    code, said = learn(run, folder, "--classes", "green,red", "--json")
    assert code == 0
    label = json.loads(said)["label"]
    assert label == {"name": "colour", "negative": "green", "positive": "red"}


def test_any_class_of_trees_takes_them(run, folder):
    code, said = run(
        "learn", folder / "a.csv", "--class", "trees", "--schema", folder / "s.toml", "--depth",
        "2", "--label", "colour", "--epsilon", "4", "--no-ledger", *CLASSES, "--json",
    )  # fmt: skip
    assert code == 0, said
    assert json.loads(said)["classes"] == list(COLOURS)


def test_a_plan_counts_all_labels(run, folder):
    usual = ("plan", "--schema", folder / "s.toml", "--epsilon", "1", "--json")
    needed = []
    for options in ((), CLASSES, (*CLASSES, "--other", "class")):
        code, said = run(*usual, *options)
        assert code == 0, said
        needed.append(json.loads(said)["best"]["records"] if "best" in json.loads(said) else said)
    assert len(set(map(str, needed))) == 3


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--classes", "red"), "two or more"),
        (("--classes", "red,,green"), "two or more"),
        (("--classes", "1,1.0,2"), "different"),
        (("--classes", "a,b,c", "--positive", "a"), "leave out --positive"),
        (("--classes", "a,b,other", "--other", "class"), "'other'"),
        (("--positive", "red", "--other", "class"), "--negative"),
        (("--classes", "a,b,c", "--model", "interval"), "learns two labels"),
        (("--classes", "a,b,c", "--model", "selection"), "learns two labels"),
        (("--classes", "a,b,c", "--cost", "d=3"), "costs name the label 'd'"),
    ],
)
def test_what_cannot_be_done_is_said(run, folder, options, said):
    code, words = learn(run, folder, *options)
    assert code == 2
    assert said in " ".join(words.split())


def test_values_are_read_as_in_a_line_of_csv():
    assert read_values('a, b,"c, d"') == ("a", "b", "c, d")
    with pytest.raises(BadInput):
        read_values("")


def test_one_label_and_several_at_once_are_refused_by_name():
    with pytest.raises(BadInput, match="not both"):
        LabelOptions(label="sick", labels="a,b").declared()
