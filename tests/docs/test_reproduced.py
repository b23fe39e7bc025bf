"""The copied tables are those that the registry gives today: simulated columns aside."""

import csv
from pathlib import Path

import pytest

from tacit.reproduce.experiment import PLANNED, experiments, rows_of
from tacit.reproduce.render import as_csv
from tacit.reproduce.runner import Outcome

ROOT = Path(__file__).resolve().parents[2]
ENTRIES = experiments()


def planned(text, entry):
    rows = csv.DictReader(text.splitlines())
    return [[row[name] for name in entry.columns if name not in entry.measured] for row in rows]


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_copies_are_current(entry):
    copied = (ROOT / "docs" / "reproduced" / f"{entry.name}.csv").read_text(encoding="utf-8")
    rows = tuple(rows_of(entry, PLANNED))
    if not rows:
        assert planned(copied, entry)
        return
    now = as_csv(Outcome(experiment=entry, effort=PLANNED, rows=rows, missing=()))
    assert planned(copied, entry) == planned(now, entry)


def test_the_page_has_every_table():
    page = (ROOT / "docs" / "reproduced.md").read_text(encoding="utf-8")
    assert all(f"## {entry.title}\n" in page for entry in ENTRIES)
    assert "Missing:" not in page
