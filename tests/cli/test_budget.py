"""``tacit budget``: make, show, export, check, recover."""

import csv
import json
import os

import pytest
from tests.fuzz import faults

from tacit.accounting import About, Ledger, describing
from tacit.cli import main
from tacit.core import REPLACE_ONE, Pure, Selection
from tacit.report.release_file import load


@pytest.fixture
def path(tmp_path):
    ledger = Ledger.create(tmp_path / "office.ledger", 1, 1e-6, data_set="ward 7")
    with describing(About(purpose="=planning", label="sick", columns=("age", "ward"))):
        ledger.charge(Pure(epsilon="1/3", relation=REPLACE_ONE), note="[bold]stump[/]")
    ledger.charge(Selection(epsilon="1/4", relation=REPLACE_ONE), note="threshold")
    return tmp_path / "office.ledger"


def test_create_makes_a_ledger_with_its_terms(tmp_path, capsys):
    path = tmp_path / "b.db"
    words = ["budget", "create", str(path), "--epsilon", "2", "--data-set", "admissions"]
    assert main([*words, "--delta", "1e-6", "--relation", "add-remove", "--unit", "patient"]) == 0
    made = Ledger.open(path)
    assert (made.epsilon, made.data_set, made.unit) == (2, "admissions", "patient")
    assert made.relation.value == "add-remove"
    assert main(words) == 2
    assert "exists" in capsys.readouterr().err
    assert main(["budget", "create", str(tmp_path / "c.db"), "--epsilon", "2"]) == 2
    for unnamed in ("", " "):
        unusable = ["--epsilon", "2", "--data-set", unnamed]
        assert main(["budget", "create", str(tmp_path / "c.db"), *unusable]) == 2
    assert not (tmp_path / "c.db").exists()


def test_it_shows_entries_totals_and_what_is_left(path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "160")
    assert main(["budget", "show", str(path)]) == 0
    shown = capsys.readouterr().out
    for part in (
        "[bold]stump[/]",
        "threshold",
        "epsilon = 0.333334",
        "0.583334",
        "0.416666",
        "limit",
    ):
        assert part in shown
    assert "ward 7" in shown
    assert "=planning" in shown


def test_names_in_a_ledger_are_shown_as_they_are_and_steer_nothing(tmp_path, capsys):
    ledger = Ledger.create(tmp_path / "b.db", 1, data_set="[draft] ward [/x]\x1b[2J")
    with describing(About(purpose="[red]\x1b]0;owned\x07", label="a\u202eb")):
        ledger.charge(Pure(epsilon="1/3", relation=REPLACE_ONE), note="a")
    assert main(["budget", "show", str(tmp_path / "b.db")]) == 0
    shown = capsys.readouterr().out
    assert r"[draft] ward [/x]\x1b[2J" in shown
    assert not {"\x1b", "\x07", "\u202e"} & set(shown)


def test_json_has_exact_numbers(path, capsys):
    assert main(["budget", "show", str(path), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["limit"] == {"epsilon": "1", "delta": "1e-06", "relation": "replace-one"}
    assert shown["spent"]["epsilon"] == "7/12"
    assert shown["remaining"] == {"epsilon": "5/12", "delta": "1e-06"}
    assert [entry["note"] for entry in shown["entries"]] == ["[bold]stump[/]", "threshold"]
    assert shown["entries"][1]["event"]["kind"] == "Selection"
    assert shown["entries"][0]["about"]["columns"] == ["age", "ward"]


def test_a_total_at_another_delta(tmp_path, capsys):
    ledger = Ledger.open(tmp_path / "many.ledger", 100)
    for _ in range(30):
        ledger.charge(Selection(epsilon="0.05", relation=REPLACE_ONE))
    spent = []
    for more in ([], ["--delta", "0.001"]):
        assert main(["budget", "show", str(tmp_path / "many.ledger"), "--json", *more]) == 0
        spent.append(json.loads(capsys.readouterr().out)["spent"])
    assert spent[0]["epsilon"] == "1.5"
    assert spent[1]["method"] == "zcdp"


@pytest.mark.parametrize("command", ["show", "verify", "recover"])
def test_a_missing_file_is_not_made(tmp_path, command):
    assert main(["budget", command, str(tmp_path / "none.ledger")]) == 2
    assert list(tmp_path.iterdir()) == []


def test_export(path, tmp_path):
    assert main(["budget", "export", str(path), "-o", str(tmp_path / "e.json")]) == 0
    assert len(json.loads((tmp_path / "e.json").read_text())["entries"]) == 2
    assert main(["budget", "export", str(path), "-o", str(tmp_path / "e.csv")]) == 0
    rows = list(csv.DictReader((tmp_path / "e.csv").read_text().splitlines()))
    assert rows[0]["label"] == "sick"
    assert rows[0]["purpose"] == "'=planning"  # no formula for a spreadsheet
    assert main(["budget", "export", str(path), "-o", str(path), "--force"]) == 2
    assert main(["budget", "export", str(path), "-o", str(tmp_path / "e.txt")]) == 2
    assert Ledger.open(path).spent.epsilon


def test_every_command_prints_one_record_for_programs_and_errors_elsewhere(path, tmp_path, capsys):
    out = str(tmp_path / "out.json")
    for words in (
        ["create", str(tmp_path / "new.db"), "--epsilon", "1", "--data-set", "d"],
        ["show", str(path)],
        ["verify", str(path)],
        ["recover", str(path)],
        ["recover", str(path), "-o", out],
        ["export", str(path), "-o", out],
    ):
        assert main(["budget", *words, "--json"]) == 0, words
        assert isinstance(json.loads(capsys.readouterr().out), dict), words
    for words in (["export", str(path), "-o", out], ["show", f"{path}x"], ["verify", f"{path}x"]):
        assert main(["budget", *words, "--json"]) == 2
        told = capsys.readouterr()
        assert told.out == ""
        assert told.err.startswith("error: ")


def test_verify_says_what_holds(path, capsys):
    assert main(["budget", "verify", str(path)]) == 0
    told = capsys.readouterr().out
    assert "each continues the chain" in told
    assert "was kept" in told
    assert Ledger.open(path).history[-1].digest in told
    os.unlink(f"{path}.counter")
    assert main(["budget", "verify", str(path)]) == 2
    assert main(["budget", "verify", str(path), "--new-counter"]) == 0
    assert main(["budget", "verify", str(path), "--json"]) == 0


def test_recover_hands_over_what_never_arrived(path, tmp_path, capsys):
    assert main(["budget", "recover", str(path)]) == 0
    assert "has arrived" in capsys.readouterr().out
    assert main(["budget", "recover", str(path), "--release", "9"]) == 2
    assert "none does" in capsys.readouterr().err
    for name in ("aa", "bb"):
        (tmp_path / f"office.ledger.undelivered-{name}.json").write_text(f'{{"rule": "{name}"}}')
    before = Ledger.open(path).spent
    assert main(["budget", "recover", str(path)]) == 0
    assert "undelivered-aa" in capsys.readouterr().out
    out = tmp_path / "r.json"
    assert main(["budget", "recover", str(path), "-o", str(out)]) == 2
    assert main(["budget", "recover", str(path), "-o", str(out), "--release", "3"]) == 2
    assert main(["budget", "recover", str(path), "-o", str(out), "--release", "1"]) == 0
    assert json.loads(out.read_text()) == {"rule": "aa"}
    assert main(["budget", "recover", str(path), "-o", str(out)]) == 2  # r.json exists
    assert main(["budget", "recover", str(path), "-o", str(out), "--force"]) == 0
    assert json.loads(out.read_text()) == {"rule": "bb"}
    assert Ledger.open(path).spent == before


def test_create_says_who_is_protected(tmp_path, capsys):
    words = ["budget", "create", "--epsilon", "2", "--data-set", "d", "--unit", "patient_id"]
    assert main([*words, str(tmp_path / "a.db")]) == 0
    assert "for each person in the column 'patient_id'" in capsys.readouterr().out
    assert main([*words, str(tmp_path / "b.db"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["unit"] == "patient_id"


def test_entries_name_the_columns_that_were_read(tmp_path, monkeypatch):
    faults.template(tmp_path / "x")
    monkeypatch.chdir(tmp_path / "x")
    assert main([*faults.STUMP, "--ledger", "b.db", "-o", "out.json"]) == 0
    column = ["--class", "thresholds", "--size", "100", "--column", "age", "--ledger", "b.db"]
    assert main([*faults.LEARN, *column]) == 0
    told = [entry.about for entry in Ledger.open("b.db").entries]
    assert [(one.columns, one.label) for one in told] == [(("age",), "sick")] * 2
    assert load("out.json").about.columns == ("age",)


def test_a_table_that_never_arrived_is_handed_over_as_a_table(tmp_path, monkeypatch, capsys):
    faults.template(tmp_path / "x")
    monkeypatch.chdir(tmp_path / "x")

    def gone(text):
        del text
        raise BrokenPipeError

    with monkeypatch.context() as patch:
        patch.setattr("tacit.cli.deliver.say", gone)
        table = [*faults.CLEAN, "--epsilon", "1", "--ledger", "b.db", "-o", "out.csv"]
        assert main(table) == 5
    capsys.readouterr()
    assert main(["budget", "recover", "b.db", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["waiting"]) == 1
    assert main(["budget", "recover", "b.db", "-o", "again.csv"]) == 0
    assert (tmp_path / "x" / "again.csv").read_bytes() == (tmp_path / "x" / "out.csv").read_bytes()
    assert main(["budget", "recover", "b.db", "-o", "r.json"]) == 0  # the certificate, too
    assert load("r.json").verify(ledger=Ledger.open("b.db"), seconds=None)
    assert main(["budget", "recover", "b.db", "-o", "no.csv"]) == 0
    assert not (tmp_path / "x" / "no.csv").exists()
