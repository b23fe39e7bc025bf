"""Every Python block of the README and the guides runs, in order, page by page."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs" / "guides").glob("*.md")),
]


def blocks(page, language):
    text = page.read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, flags=re.S)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_blocks_run(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "page"}
    for block in blocks(page, "python"):
        exec(compile(block, str(page.name), "exec"), names)  # a failing block fails the test


def test_the_readme_has_blocks_to_run():
    assert len(blocks(ROOT / "README.md", "python")) >= 3


def test_shell_commands_of_the_readme_exist():
    from tacit.cli import COMMANDS

    used = {
        line.split()[1]
        for block in blocks(ROOT / "README.md", "sh")
        for line in block.splitlines()
        if line.startswith("tacit ")
    }
    assert used
    assert used <= set(COMMANDS)


def test_links_between_pages_lead_somewhere():
    broken = [
        (page.name, target)
        for page in PAGES
        for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
        if "://" not in target and not (page.parent / target).exists()
    ]
    assert not broken
