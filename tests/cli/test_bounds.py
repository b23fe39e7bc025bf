"""``tacit bounds`` lists every theorem and evaluates them."""

import json

import tacit
from tacit.cli import main


def run(*words, capsys):
    code = main(["bounds", *map(str, words)])
    said = capsys.readouterr()
    return code, said.out, said.err


def test_every_theorem_is_listed(capsys):
    code, out, _ = run("--json", capsys=capsys)
    assert code == 0
    listed = [row["statement"] for row in json.loads(out)]
    assert listed == [entry.claim.statement for entry in tacit.theorems()]
    assert len(listed) >= 80


def test_a_theorem_is_evaluated_like_its_function(capsys):
    entry = next(e for e in tacit.theorems() if e.function.__name__ == "realizable")
    words = ("--size", 1024, "--alpha", "0.1", "--beta", "5%", "--epsilon", 1)
    code, out, _ = run(entry.claim.cite, *words, "--json", capsys=capsys)
    assert code == 0
    rows = {row["function"]: row["value"] for row in json.loads(out)}
    value = entry.function(size=1024, alpha="0.1", beta="0.05", epsilon=1)
    assert rows["realizable"] == f"{value.n} records"


def test_what_a_theorem_takes_is_said(capsys):
    code, out, _ = run("BBKN13 Theorem 3.2", capsys=capsys)
    assert code == 0
    assert "--alpha" in out
    code, _, err = run("BBKN13 Theorem 3.2", "--colour", "red", capsys=capsys)
    assert code == 2
    assert "takes" in err
    code, _, err = run("BBKN13 Theorem 33", capsys=capsys)
    assert code == 2
    assert "there is no theorem" in err


def test_bits_stand_for_a_size_and_usual_numbers_are_said(capsys):
    (entry,) = [e for e in tacit.theorems() if e.claim.cite == "BBKN13 Lemma 3.9"]
    code, out, err = run("BBKN13 Lemma 3.9", "--bits", 64, "--alpha", "0.1", capsys=capsys)
    assert code == 0, err
    value = entry.function(size=2**64, alpha="0.1", beta="0.05", epsilon=1)
    assert f": {value.n} records (at the usual" in out
    assert "epsilon 1" in out
    assert "beta 0.05" in out
    words = ("--size", 2**64, "--alpha", "0.1", "--beta", "0.05", "--epsilon", 1, "--delta", 0)
    assert run("BBKN13 Lemma 3.9", *words, capsys=capsys)[1].strip() in out
    code, _, err = run("BBKN13 Lemma 3.9", "--bits", 5000, "--alpha", "0.1", capsys=capsys)
    assert code == 2
    assert "4096" in err


def test_one_size_is_given_once(capsys):
    words = ("BBKN13 Lemma 3.9", "--bits", 64, "--size", 64, "--alpha", "0.1")
    code, _, err = run(*words, capsys=capsys)
    assert code == 2
    assert "--bits and --size are one number" in err


def test_a_kind_that_there_is_not_is_refused(capsys):
    code, out, err = run("--kind", "uper", capsys=capsys)
    assert (code, out) == (2, "")
    assert "fact, lower, upper" in err
