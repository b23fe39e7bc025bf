"""What the pages take from the code is there: every paper, command and public name."""

import runpy
from pathlib import Path

from tacit.cli import COMMANDS
from tacit.core import ALGORITHMS, PAPERS, theorems

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_papers_have_every_theorem_and_algorithm(monkeypatch):
    monkeypatch.syspath_prepend(DOCS)
    pages = runpy.run_path(str(DOCS / "generate_papers.py"))["pages"]()
    assert len(pages) == len(PAPERS) + 1
    for entry in theorems():
        own = entry.claim.paper in PAPERS
        page = pages[f"{entry.claim.paper.lower()}.md" if own else "later.md"]
        assert f"**{entry.claim.locator if own else entry.claim.cite}**" in page
    for algorithm in ALGORITHMS:
        page = pages.get(f"{algorithm.claim.paper.lower()}.md")
        assert page is None or f'algorithm="{algorithm.name}"' in page


def test_commands_are_all_described():
    page = runpy.run_path(str(DOCS / "generate_commands.py"))["page"]()
    for name, words in COMMANDS.items():
        assert f"## tacit {name}\n\n{words}" in page
    assert "`--epsilon`" in page
    assert "needs `--negative`" in page  # as code: what is copied must be what was typed
    assert "``--" not in page


def test_formulas_have_nothing_that_stays_as_tex():
    plain = runpy.run_path(str(DOCS / "conf.py"))["plain_tex"]
    assert plain(r"a,\quadt = \Big\lceil x\Big\rceil") == r"a,\quad t = \lceil x\rceil"
    assert plain(r"\min\Bigl\{x\Bigr\} \quad y") == r"\min\{x\} \quad y"


def test_public_names_are_all_described():
    import tacit

    pages = runpy.run_path(str(DOCS / "generate_python.py"))["pages"]()
    page = "\n".join(pages.values())
    assert all(name in pages["python.md"] for name in pages if name != "python.md")
    assert f"autofunction:: tacit.{tacit.learn.__name__}" in page
    assert "autoclass:: tacit.estimators.TreeClassifier" in page


def test_columns_of_names_become_parameters():
    sections = runpy.run_path(str(DOCS / "conf.py"))["sections"]
    made = sections(
        ["Learn.", "", "``x``   a table", "        or a path", "``y``   labels", "", "Safe."]
    )
    assert made == [
        "Learn.", "", "", "Parameters", "----------", "x", "    a table", "    or a path",
        "y", "    labels", "", "Notes", "-----", "", "Safe.",
    ]  # fmt: skip
    assert sections(["Plain.", "", ">>> 1", "1"]) == ["Plain.", "", ">>> 1", "1"]


def test_the_odds_of_the_epsilon_page():
    from math import ceil, exp

    text = (DOCS / "choosing_epsilon.md").read_text(encoding="utf-8")
    rows = [
        line.strip("| ").split(" | ")
        for line in text.splitlines()
        if line.startswith(("| 0", "| 1 ", "| 2 ", "| 5 "))
    ]
    assert len(rows) == 6
    for epsilon, half, tenth, _ in rows:
        for before, shown in ((0.5, half), (0.1, tenth)):
            odds = before / (1 - before) * exp(float(epsilon))
            assert f"{ceil(1000 * odds / (1 + odds)) / 10:.1f} %" == shown  # "at most": rounded up


def test_defaults_that_are_objects_do_not_spoil_a_signature():
    signature = runpy.run_path(str(DOCS / "conf.py"))["signature"]
    told = "(a: int = 3, b: ~tacit.core.Task = <tacit.core.Task object>, c=<function _always>)"
    assert signature(told) == "(a: int = 3, b: ~tacit.core.Task = ..., c=...)"
