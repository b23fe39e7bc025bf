"""The newcomer's notebook: fifteen lines, the page's own code, and what they leave behind."""

import json
import runpy
from fractions import Fraction
from pathlib import Path

import pytest

import tacit
from tacit.cli import main

DOCS = Path(__file__).resolve().parents[2] / "docs"


def code():
    cells = json.loads((DOCS / "notebook.ipynb").read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


def test_the_notebook_is_the_page():
    made = runpy.run_path(str(DOCS / "generate_notebook.py"))["notebook"]
    page = (DOCS / "newcomer.md").read_text(encoding="utf-8")
    assert made(page) == (DOCS / "notebook.ipynb").read_text(encoding="utf-8"), (
        "run docs/generate_notebook.py"
    )


def test_fifteen_lines():
    lines = [line for line in code()[1].splitlines() if line.strip()]
    assert len(lines) <= 15


@pytest.mark.filterwarnings("error")
def test_its_cells_run_in_order_and_publish_a_rule_with_its_certificate(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "notebook"}
    for cell in code():
        exec(compile(cell, "notebook.ipynb", "exec"), names)
    told = capsys.readouterr().out
    assert "Differentially private with epsilon = 1" in told
    assert "no room" in told
    assert "Holds, computed or checked here" in told
    certified = tacit.load("release.json").certificate
    assert certified.private
    # Better than the same answer for everybody, which errs on 27 %, and everything was measured.
    assert certified.error < Fraction(1, 4)
    assert not any(one.count is None for one in certified.measured.beside)
    assert main(["predict", "release.json", "patients.csv"]) == 0
    assert len(capsys.readouterr().out.split()) == 1 + 4000
