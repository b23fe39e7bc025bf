"""What a number of records buys: the planner's own answers, kind by kind."""

from __future__ import annotations

import pytest
from tests.page.buys_cases import SCHEMA

from tacit.page import buying


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
