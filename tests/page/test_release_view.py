"""The guided release: header only, cost first, charged once, refused where the budget is empty."""

from __future__ import annotations

import json
import re
import threading
import time

import pytest
from tests.page.releases import write_table

import tacit
from tacit.accounting import Ledger
from tacit.page import releasing
from tacit.report.verify import verify_release


@pytest.fixture
def table(caller):
    return write_table(caller.folder, delimiter=";")


def _form(**changes: str) -> dict[str, str]:
    return {
        "file": "patients.csv", "delimiter": ";", "use.0": "yes", "kind.0": "integer",
        "low.0": "0", "high.0": "99", "bins.0": "10", "label": "readmitted", "positive": "yes",
        "negative": "no", "model": "tree", "depth": "1", "epsilon": "1", "relation": "replace-one",
        "ledger": "(new)", "new_name": "budget.db", "new_data": "patients 2025",
        "new_epsilon": "1", "purpose": "a test", "output": "rule.json",
    } | changes  # fmt: skip


def _token(answer) -> str:
    found = re.search(r'name="token" value="([^"]+)"', answer.text)
    assert found is not None, answer.text
    return found[1]


def _finished(caller, address: str):
    for _ in range(600):
        answer = caller.client.get(address)
        if "In progress" not in answer.text:
            return answer
        time.sleep(0.05)
    pytest.fail("the release did not end")


def _confirm(caller, token: str) -> str:
    answer = caller.post("release/confirm", {"token": token}, follow=False)
    assert answer.status_code == 303
    return str(answer.headers["location"])


def test_from_a_semicolon_table_to_a_verified_release(caller, table):
    assert "patients.csv" in caller.get("release").text
    header = caller.get("release/columns", file="patients.csv", delimiter=";")
    assert 'name="kind.0"' in header.text
    assert "readmitted" in header.text
    assert "yes;" not in header.text
    quote = caller.post("release/quote", _form())
    assert quote.status_code == 200
    assert "Nothing was charged" in quote.text
    assert Ledger.open_existing(caller.folder / "budget.db").entries == ()
    assert not (caller.folder / "rule.json").exists()
    address = _confirm(caller, _token(quote))
    done = _finished(caller, address)
    assert "Released" in done.text
    assert "Nothing failed." in done.text
    assert "paid for exactly this release" in done.text
    assert "a test" in done.text
    assert len(Ledger.open_existing(caller.folder / "budget.db").entries) == 1
    release = tacit.load(caller.folder / "rule.json")
    book = Ledger.open_existing(caller.folder / "budget.db")
    assert verify_release(release, ledger=book, seconds=None)
    sent = caller.get("release/file/rule.json")
    assert sent.headers["content-disposition"] == 'attachment; filename="rule.json"'
    assert json.loads(sent.content) == release.record
    shown = caller.get("ledger", name="budget.db")
    assert "patients 2025" in shown.text
    assert "a test" in shown.text
    assert [path.name for path in caller.folder.glob("*undelivered*")] == []


def test_a_second_click_and_a_reload_spend_nothing(caller, table):
    token = _token(caller.post("release/quote", _form(new_epsilon="5")))
    found: list[str] = []
    clicks = [
        threading.Thread(target=lambda: found.append(_confirm(caller, token))) for _ in range(8)
    ]
    for click in clicks:
        click.start()
    for click in clicks:
        click.join()
    assert len(found) == 8
    assert len(set(found)) == 1
    _finished(caller, found[0])
    _confirm(caller, token)
    time.sleep(0.2)
    assert len(Ledger.open_existing(caller.folder / "budget.db").entries) == 1


def test_an_empty_budget_is_refused_before_and_at_the_confirmation(caller, table):
    one = _token(caller.post("release/quote", _form()))
    other = _token(caller.post("release/quote", _form(ledger="budget.db", output="two.json")))
    assert "Released" in _finished(caller, _confirm(caller, one)).text
    late = _finished(caller, _confirm(caller, other))
    assert "It was not released" in late.text
    assert not (caller.folder / "two.json").exists()
    refused = caller.post("release/quote", _form(ledger="budget.db", output="three.json"))
    assert refused.status_code == 409
    assert "would refuse it" in refused.text
    assert 'name="token"' not in refused.text
    assert 'value="three.json"' in refused.text  # what was filled in is still there
    assert len(Ledger.open_existing(caller.folder / "budget.db").entries) == 1


def test_a_made_up_confirmation_is_refused(caller, table):
    for token in ("", "x", "A" * 43):
        answer = caller.post("release/confirm", {"token": token})
        assert answer.status_code == 400
    assert caller.get("release/job/nothing").status_code == 400


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"label": ""}, "choose the label"),
        ({"positive": ""}, "which value of the label"),
        ({"negative": "yes"}, "two different values"),
        ({"ledger": ""}, "ledger that pays"),
        ({"new_data": ""}, "records of the new ledger"),
        ({"new_name": "../b.db"}, "a new file is named"),
        ({"new_name": "b.txt"}, "a new file is named"),
        ({"ledger": "../budget.db"}, "no file"),
        ({"output": "../rule.json"}, "a new file is named"),
        ({"output": "patients.csv"}, "a new file is named"),
        ({"low.0": ""}, "declare low"),
        ({"kind.0": ""}, "declare its kind"),
        ({"use.0": ""}, "at least one column"),
        ({"kind.0": "category"}, "list its values"),
        ({"model": "selection"}, "the kind of rule must be"),
        ({"epsilon": "-1"}, "epsilon"),
        ({"depth": "x"}, "depth"),
        ({"unit": "nobody"}, "tells persons apart"),
        ({"rows_per_unit": "2"}, "--unit"),
        ({"rows_per_unit": "x"}, "whole number"),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_made(caller, table, change, words):
    answer = caller.post("release/quote", _form(**change))
    assert answer.status_code == 400
    assert words in answer.text
    assert sorted(path.name for path in caller.folder.iterdir()) == ["patients.csv"]


@pytest.mark.parametrize("name", ["../outside.csv", "/etc/passwd", "budget.db", ""])
def test_only_tables_of_the_folder_are_read(caller, table, name):
    (caller.folder.parent / "outside.csv").write_text("a;b\n1;2\n")
    assert caller.get("release/columns", file=name).status_code == 400
    assert caller.post("release/quote", _form(file=name)).status_code == 400
    assert caller.get("release/file/" + name).status_code in (400, 404)
    assert caller.get("ledger", name=name).status_code == 400


def test_a_wrong_dialect_says_what_to_declare(caller, table):
    answer = caller.get("release/columns", file="patients.csv")
    assert answer.status_code == 400
    assert "--delimiter" in answer.text


def test_nothing_that_exists_is_overwritten(caller, table):
    (caller.folder / "rule.json").write_text("kept")
    answer = caller.post("release/quote", _form())
    assert answer.status_code == 400
    assert (caller.folder / "rule.json").read_text() == "kept"


def test_a_saved_schema_starts_the_next_release(caller, table):
    caller.post("release/quote", _form(save_schema="schema.toml"))
    assert '[columns."age"]' in (caller.folder / "schema.toml").read_text()
    text = caller.get(
        "release/columns", file="patients.csv", delimiter=";", schema="schema.toml"
    ).text
    assert 'name="high.0" value="99"' in text
    assert 'value="integer" selected' in text


def test_a_failure_after_the_charge_tells_no_record(caller, table, monkeypatch):
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("patient 17 is sick")

    token = _token(caller.post("release/quote", _form()))
    monkeypatch.setattr(releasing, "release_record", broken)
    done = _finished(caller, _confirm(caller, token))
    assert "RuntimeError" in done.text
    assert "patient 17" not in done.text
    assert "The ledger shows what was spent" in done.text


def test_values_of_records_never_reach_the_page(caller):
    (caller.folder / "patients.csv").write_text("age;readmitted\n41977;zyxw\n" * 1)
    for answer in (
        caller.get("release/columns", file="patients.csv", delimiter=";"),
        caller.post("release/quote", _form()),
    ):
        assert "41977" not in answer.text
        assert "zyxw" not in answer.text


def test_persons_with_several_rows_are_protected(caller):
    lines = ["id,age,readmitted"]
    lines += [f"p{i % 300},{i % 100},{'yes' if i % 100 >= 60 else 'no'}" for i in range(900)]
    (caller.folder / "patients.csv").write_text("\n".join(lines) + "\n")
    fields = _form(delimiter="", unit="id", rows_per_unit="2")
    fields |= {name.replace(".0", ".1"): fields.pop(name) for name in list(fields) if ".0" in name}
    assert 'name="unit"' in caller.get("release/columns", file="patients.csv").text
    quote = caller.post("release/quote", fields)
    done = _finished(caller, _confirm(caller, _token(quote)))
    assert "Nothing failed." in done.text
    assert "one row of each is used (up to 2 were allowed)" in done.text
    assert "of new persons (one row of each)" in done.text
    assert Ledger.open_existing(caller.folder / "budget.db").unit == "id"
