"""An officer reads and verifies a release that was sent."""

from __future__ import annotations

import json

import pytest
from tests.page.releases import write_release


@pytest.fixture(scope="module")
def sent(tmp_path_factory):
    return write_release(tmp_path_factory.mktemp("sent"))


def test_a_chosen_file_is_verified(person, sent):
    person.go("view")
    person.find("#pick").send_keys(str(sent))
    person.see("Nothing failed.", seconds=60)
    person.see("readmitted is yes")
    assert person.find(".drawing svg").is_displayed()
    person.look("view")
    assert person.complaints == []


def test_a_changed_file_is_refused(person, sent, tmp_path):
    record = json.loads(sent.read_text())
    record["certificate"]["n"] = 10**6
    (tmp_path / "changed.json").write_text(json.dumps(record))
    person.go("view")
    person.find("#pick").send_keys(str(tmp_path / "changed.json"))
    person.see("Do not rely on this release.", seconds=60)


def test_pasted_text_is_verified_without_script(person, sent):
    person.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        person.go("view")
        person.press("form[action$=pasted] summary")
        field = person.find("#text")
        person.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
        person.driver.execute_script("arguments[0].value = arguments[1]", field, sent.read_text())
        person.press("form[action$=pasted] button")
        person.see("Nothing failed.", seconds=60)
    finally:
        person.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
