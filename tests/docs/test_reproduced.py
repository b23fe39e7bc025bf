"""The page has every reproduction; ``tests/reproduce/test_experiment.py`` compares its numbers."""

from pathlib import Path

from tacit.reproduce.experiment import experiments

ROOT = Path(__file__).resolve().parents[2]


def test_the_page_has_every_table():
    page = (ROOT / "docs" / "reproduced.md").read_text(encoding="utf-8")
    assert all(f"## {entry.title}\n" in page for entry in experiments())
    assert "Missing:" not in page
