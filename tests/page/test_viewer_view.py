"""The viewer and verifier: a release from the folder, pasted, or dropped."""

from __future__ import annotations

import json
import os

import pytest
from tests.page.conftest import HOST, TOKEN
from tests.page.releases import write_release

from tacit.page import viewer_view
from tacit.page.viewer_view import RELEASE_LARGEST

OWN = {"origin": f"http://{HOST}", "sec-fetch-site": "same-origin"}


@pytest.fixture
def text(caller, monkeypatch) -> str:
    monkeypatch.setattr(viewer_view, "_SECONDS", None)  # a process each takes seconds
    return write_release(caller.folder).read_text()


def _drop(caller, content: bytes, **more: str):
    return caller.client.post(f"/{TOKEN}/view/dropped", content=content, headers=OWN | more)


def test_a_release_of_the_folder_is_verified_with_its_ledger(caller, text, monkeypatch):
    assert 'value="rule.json"' in caller.get("view").text
    alone = caller.get("view", file="rule.json").text
    assert "Nothing failed." in alone
    assert "readmitted is yes" in alone
    assert "<svg" in alone
    monkeypatch.undo()  # as it is: in a process of its own
    paid = caller.get("view", file="rule.json", ledger="budget.db").text
    assert "Nothing failed." in paid
    assert "paid for exactly this release" in paid
    assert "paid for exactly this release" not in alone


def test_dropped_and_pasted_are_the_same(caller, text):
    dropped = _drop(caller, text.encode(), **{"x-name": "sent.json"})
    assert dropped.status_code == 200
    assert "Nothing failed." in dropped.text
    assert "<html" not in dropped.text
    pasted = caller.post("view/pasted", {"text": text})
    assert dropped.text.strip().split("<h2>Certificate")[1][:2000] in pasted.text


def test_a_changed_release_is_not_to_be_relied_on(caller, text):
    record = json.loads(text)
    record["certificate"]["spent"]["epsilon"] = "1/100"
    found = _drop(caller, json.dumps(record).encode()).text
    assert "Do not rely on this release." in found
    assert "changed after it was written" in found


def test_what_is_no_release_is_said(caller):
    for content in (b"", b"{}", b"\xff\xfe", b"[" * 5000, b'{"format": "tacit-release"}'):
        answer = _drop(caller, content)
        assert answer.status_code == 400
        assert 'role="alert"' in answer.text


def test_words_of_a_release_are_escaped(caller, text):
    record = json.loads(text)
    record["label"]["name"] = "<script>alert(1)</script>"
    record["about"]["data_set"] = "<img src=x>"
    found = _drop(caller, json.dumps(record).encode()).text
    assert "<script>" not in found
    assert "<img" not in found
    assert "&lt;script&gt;" in found


def test_too_much_is_refused_and_nothing_is_left_on_disk(caller, text, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path / "spool"))
    (tmp_path / "spool").mkdir()
    answer = _drop(caller, b" " * (RELEASE_LARGEST + 1))
    assert answer.status_code == 400
    assert "longer than" in answer.text
    _drop(caller, text.encode())
    assert os.listdir(tmp_path / "spool") == []


def test_files_cannot_be_sent_with_a_form(caller, text):
    answer = caller.client.post(
        f"/{TOKEN}/view/pasted", files={"text": ("r.json", text)}, headers=OWN
    )
    assert answer.status_code == 400


def test_no_name_leads_out_of_the_folder(caller, text):
    outside = caller.folder.parent / "outside.json"
    outside.write_text(text)
    for name in ("../outside.json", str(outside), "budget.db", "patients.csv"):
        assert caller.get("view", file=name).status_code == 400
