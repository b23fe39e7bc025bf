"""A steward publishes a rule from a semicolon table, by clicking."""

from __future__ import annotations

import json

from tacit.accounting import Ledger


def _declare(person, *, output: str, ledger: str) -> None:
    person.go("release")
    person.choose("#file", "patients.csv")
    person.choose("#delimiter", ";")
    person.choose("#decimal", ",")
    person.press("form button[type=submit]")
    person.see("Declare the columns")
    person.choose("[name='kind.0']", "integer")
    person.type("[name='low.0']", "0")
    person.type("[name='high.0']", "99")
    person.choose("[name='kind.1']", "category")
    person.type("[name='values.1']", "north, south, west")
    person.press("[name='use.2']")  # the dose is left out
    person.press("[name='use.3']")
    person.choose("#label", "readmitted")
    person.type("#positive", "yes")
    person.type("#negative", "no")
    person.type("#depth", "1")
    person.type("#epsilon", "1")
    person.choose("#ledger", ledger)
    person.type("#output", output)


def test_from_a_table_to_a_release_and_an_empty_budget(person, folder):
    _declare(person, output="rule.json", ledger="(new)")
    assert not person.find("[name='low.1']").is_displayed()  # a category has no lowest value
    person.type("#new_name", "budget.db")
    person.type("#new_data", "patients 2025")
    person.type("#new_epsilon", "1.5")
    person.type("#purpose", "who comes back")
    person.look("release-columns")
    person.press("form button[type=submit]")
    person.see("What it would cost")
    person.see("Nothing was charged")
    person.look("release-cost")
    offer = person.driver.current_url
    person.press("form[data-once] button")
    person.see("Released", seconds=60)
    person.see("Nothing failed.")
    assert "age" in person.find(".drawing svg").get_attribute("textContent")
    person.look("release-done")
    job = person.driver.current_url
    person.driver.refresh()
    person.driver.get(offer)  # back to the offer, and once more
    person.press("form[data-once] button")
    person.see("Released")
    assert person.driver.current_url == job
    assert len(Ledger.open_existing(folder / "budget.db").entries) == 1
    assert json.loads((folder / "rule.json").read_text())["format"] == "tacit-release"
    _declare(person, output="second.json", ledger="budget.db")
    person.press("form button[type=submit]")
    person.see("The ledger would refuse it: the budget")
    assert not (folder / "second.json").exists()
    assert person.find("#output").get_property("value") == "second.json"
    person.go("ledger?name=budget.db")
    person.see("who comes back")
    person.look("ledger")


def test_the_start_shows_the_files_of_the_folder(person):
    person.go("release")
    person.see("patients.csv")
    person.look("release")
