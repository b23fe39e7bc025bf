"""What a number of records buys: the planner's own answers, kind by kind."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tacit.estimators import TreeClassifier
from tacit.page import buying
from tacit.page.buying import Asked, Kind
from tacit.planner import plan

SCHEMA = '[columns.age]\nkind = "integer"\nlow = 0\nhigh = 9\n'
ASKED = Asked(
    schema=SCHEMA, n=2000, epsilon="1", delta="0", relation="replace-one", alpha="0.1", beta="0.05"
)


def test_it_is_what_the_planner_says_of_the_estimator():
    found = buying.bought(Kind("tree", 1), ASKED)
    tree = TreeClassifier(domain={"age": range(10)}, depth=1, epsilon=1)
    task = tree.task(alpha="0.1")
    assert found.enough == plan(task).best.n
    assert found.excess == plan.least_alpha(task, 2000)
    at = TreeClassifier(domain={"age": range(10)}, depth=1, epsilon=found.epsilon)
    assert plan(at.task(alpha="0.1")).best.n <= 2000
    below = TreeClassifier(
        domain={"age": range(10)}, depth=1, epsilon=found.epsilon * Fraction(9, 10)
    )
    assert plan(below.task(alpha="0.1")).best.n > 2000


def test_percentages_are_rounded_up():
    one = buying.Bought(
        kind=Kind("stump", None), excess=Fraction(10001, 100000), epsilon=None, enough=1
    )
    assert one.percent == "10.1"


def test_every_kind_is_answered_or_says_why(caller):
    answer = caller.post("buys/answer", {"schema": SCHEMA, "n": "2000", "epsilon": "1"})
    assert answer.status_code == 200
    for kind in buying.kinds():
        assert kind.words in answer.text
    assert "<title>Error above the best" in answer.text
    assert "nan" not in answer.text


def test_the_page_starts_with_an_example_and_takes_a_schema_of_the_folder(caller):
    assert "3000" in caller.get("buys").text
    (caller.folder / "s.toml").write_text(SCHEMA.replace("age", "height"))
    assert "height" in caller.get("buys", file="s.toml").text
    (caller.folder.parent / "out.toml").write_text(SCHEMA.replace("age", "weight"))
    assert caller.get("buys", file="../out.toml").status_code == 400


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"schema": "[columns"}, "not valid TOML"),
        ({"schema": "a = 1"}, "column"),
        ({"schema": SCHEMA.replace("9", '"?"')}, "declare high"),
        ({"n": "0"}, "number of records"),
        ({"n": "many"}, "number of records"),
        ({"epsilon": "x"}, "epsilon"),
        ({"relation": "none"}, "relation"),
    ],
)
def test_what_is_wrong_is_said(caller, change, words):
    answer = caller.post("buys/answer", {"schema": SCHEMA} | change)
    assert 'role="alert"' in answer.text
    assert words in answer.text
