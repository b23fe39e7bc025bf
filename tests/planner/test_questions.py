"""Tests of ``tacit.planner.questions``."""

import json

import pytest

from tacit import Accuracy, BadInput, Privacy, plan
from tacit.classes import Points, Table
from tacit.cli import main

GIVEN = {"privacy": Privacy(1, "1e-6"), "accuracy": Accuracy("0.1", "0.05")}


def test_ways_come_with_the_fewest_records_first():
    few = plan.questions(Points(size=121), 1000, **GIVEN)
    assert [(way.name, way.n) for way in few] == [
        ("noise on each answer", 5820),
        ("corrected weights", 359069),
    ]
    many = plan.questions(Points(size=121), 10**9, **GIVEN)
    assert many[0].name == "corrected weights"
    assert many[0].n < 2 * few[1].n


def test_a_way_beyond_its_proof_is_left_out():
    tiny = Accuracy("0.00001", "0.05")
    ways = plan.questions(Points(size=4), 1, privacy=Privacy(1), accuracy=tiny)
    assert [way.name for way in ways] == ["noise on each answer"]


def test_domains_that_cannot_be_listed_are_refused():
    with pytest.raises(BadInput, match="lists the domain"):
        plan.questions(Points(bits=64), 1, **GIVEN)
    assert plan.questions(Table([[0, 1]]), 1, **GIVEN)


def test_the_command_line_says_the_same(capsys, tmp_path):
    words = [
        "plan",
        "--class",
        "points",
        "--size",
        "121",
        "--epsilon",
        "1",
        "--delta",
        "1e-6",
        "--questions",
        "1000",
    ]
    assert main(words) == 0
    assert "5820 records suffice by noise on each answer" in capsys.readouterr().out
    saved = tmp_path / "plan.json"
    assert main([*words, "-o", str(saved), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(saved.read_text())
    assert main([*words, "-o", str(tmp_path / "plan.csv")]) == 2
