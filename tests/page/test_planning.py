"""The planner's view: the page says what the planner says, and its lines give the same."""

from __future__ import annotations

import contextlib
import io
import shlex

import pytest

from tacit.cli import main
from tacit.cli.classes import public_classes
from tacit.core import BadInput
from tacit.page import planning
from tacit.planner import plan

SCHEMA = """
[columns.age]
kind = "integer"
low = 0
high = 99
bins = 10
[columns.ward]
kind = "category"
values = ["north", "south"]
"""


def _asked(**words: str) -> planning.Words:
    return tuple(sorted((name.replace("o_", "o."), word) for name, word in words.items()))


CASES = [
    {"class": "thresholds", "o_bits": "32", "epsilon": "0.5"},
    {"class": "thresholds", "o_size": "200", "o_orientation": "<", "epsilon": "1", "n": "100"},
    {"class": "points", "o_bits": "64", "epsilon": "1", "delta": "0.000001", "k": "3"},
    {"class": "points", "o_bits": "16", "epsilon": "1", "setting": "realizable", "alpha": "5%"},
    {"class": "parities", "o_bits": "8", "relation": "label", "beta": "1/10", "epsilon": "2"},
    {"class": "thresholds", "o_size": "50", "goal": "sanitize"},
    {"class": "thresholds", "o_bits": "8", "unit": "patient", "rows_per_unit": "3"},
    {"class": "thresholds", "o_bits": "8", "unit": "patient", "rows": "independent"},
    {"class": "points", "o_bits": "8", "output": "proper", "marginal": "uniform"},
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['class']}-{len(case)}")
def test_shell_and_python_give_the_number_on_the_page(case):
    words = _asked(**case)
    found = planning.answer(words, None)
    best = plan(planning.task_of(words, None)).best
    assert best is not None
    assert found.enough == best.n
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        assert main(shlex.split(found.shell)[1:]) == 0
    # What so many records buy is said first where their number is given.
    answers = told.getvalue().splitlines()[1 if "n" in case else 0 :]
    assert answers[0].startswith(f"{best.n:,} {found.things} suffice")
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        exec(found.python, {})
    assert told.getvalue().startswith(f"{best.n:,} {found.things} suffice")


def test_every_public_class_has_a_form(caller):
    for name in public_classes():
        answer = caller.get("plan", **{"class": name})
        assert answer.status_code == 200, name
        wanted = planning.wanted(name)
        assert wanted
        assert all(f'name="o.{one.name}"' in answer.text for one in wanted)
        if not any(one.file for one in wanted):  # its first numbers work
            assert 'id="enough"' in answer.text, name


def test_a_schema_is_read_from_the_folder_alone(caller):
    (caller.folder / "s.toml").write_text(SCHEMA)
    (caller.folder.parent / "out.toml").write_text(SCHEMA)
    asked = {"class": "trees", "o.depth": "1", "epsilon": "1"}
    good = caller.get("plan/answer", **asked, **{"o.schema": "s.toml"})
    assert "records suffice" in good.text
    for name in ("../out.toml", str(caller.folder / "s.toml"), "absent.toml"):
        bad = caller.get("plan/answer", **asked, **{"o.schema": name})
        assert "no file" in bad.text, name
    (caller.folder / "s.toml").write_text(SCHEMA.replace("bins = 10", "bins = 50"))
    assert caller.get("plan/answer", **asked, **{"o.schema": "s.toml"}).text != good.text


def test_what_is_typed_is_escaped(caller):
    text = caller.get("plan", epsilon="<script>alert(1)</script>").text
    assert "<script>alert" not in text
    assert "&lt;script&gt;" in text


@pytest.mark.parametrize(
    "case",
    [{"epsilon": "0"}, {"alpha": "2"}, {"k": "0"}, {"k": "x"}, {"relation": "none"},
     {"epsilon": "9" * 50}, {"class": "nothing"}, {"o_bits": "many"}, {"o_bits": ""}],
)  # fmt: skip
def test_what_is_wrong_is_said(caller, case):
    words = {"class": "thresholds", "o_bits": "8"} | case
    with pytest.raises(BadInput):
        planning.answer(_asked(**words), None)
    answer = caller.get("plan/answer", **{name.replace("o_", "o."): v for name, v in words.items()})
    assert 'role="alert"' in answer.text
    assert "Traceback" not in answer.text


def test_records_at_hand_are_compared():
    few = planning.answer(_asked(**{"class": "points", "o_bits": "8", "n": "10"}), None)
    many = planning.answer(_asked(**{"class": "points", "o_bits": "8", "n": "1000000"}), None)
    assert "too few" in few.at_hand
    assert "are enough" in many.at_hand
