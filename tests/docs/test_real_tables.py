"""The pages of real tables show what the stored runs say, as ``summary.py`` prints it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "benchmarks" / "real_tables"


def page(name):
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("script", "words", "name"),
    [
        ("summary.py", ("short", "ours.jsonl", "rivals.jsonl"), "real_tables.md"),
        (
            "summary.py",
            ("short", "halves", "ours.jsonl", "rivals.jsonl", "rivals_halves.jsonl"),
            "real_tables.md",
        ),
        ("summary.py", ("ours.jsonl", "rivals.jsonl"), "real_tables_cells.md"),
        ("report.py", ("results.json",), "real_tables_cells.md"),
        ("grids.py", ("show", "grids.jsonl"), "real_tables_default.md"),
    ],
)
def test_the_page_has_what_the_script_prints(script, words, name):
    told = subprocess.run(
        [sys.executable, script, *words], cwd=FOLDER, check=True, capture_output=True, text=True
    ).stdout
    assert told.count("\n") > 5
    assert told.strip() in page(name)


def test_the_table_of_adult_has_the_numbers_of_its_figure():
    means = json.loads((FOLDER / "adult.json").read_text(encoding="utf-8"))
    text = page("real_tables.md")
    for method, line in means.items():
        assert f"| {method} | {' | '.join(f'{mean:.3f}' for mean in line.values())} |" in text
