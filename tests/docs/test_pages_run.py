"""Every Python block of the README and the guides runs, in order, page by page."""

import re
import shlex
from pathlib import Path

import pytest

from tacit.cli import main

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs" / "guides").glob("*.md")),
]


def blocks(page, language):
    text = page.read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, flags=re.S)


# Those of the errata run each by itself, in test_errata.py.
@pytest.mark.parametrize(
    "page", [page for page in PAGES if page.name != "errata.md"], ids=lambda page: page.name
)
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


def test_the_commands_of_the_stewards_guide_run_as_they_stand(tmp_path, monkeypatch, capsys):
    """From a table as Excel writes it to a verified release, with the schema that the guide shows."""
    page = ROOT / "docs" / "guides" / "steward.md"
    (schema,) = blocks(page, "toml")
    typed = "".join(blocks(page, "sh")).replace("\\\n", " ").splitlines()
    commands = [shlex.split(line, comments=True)[1:] for line in typed]
    monkeypatch.chdir(tmp_path)
    days = [f"{1 + place % 28:02}.{1 + place % 12:02}.2024" for place in range(400)]
    rows = [
        f"p{place};{18 + place % 70};{place % 90},5;{day};{'north' if place % 3 else ''};"
        f"{'yes' if place % 90 > 45 else 'no'}"
        for place, day in enumerate(days)
    ]
    lines = ["patient_id;age;CRP mg/l;admitted;ward;readmitted", *rows]
    Path("patients.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert len(commands) >= 9
    for command in commands:
        assert main(command) == 0, (command, capsys.readouterr().err)
        if command[:2] == ["schema", "init"]:
            Path("schema.toml").write_text(schema, encoding="utf-8")
    assert "paid for exactly this release" in capsys.readouterr().out
    assert "readmitted" in Path("certificate.html").read_text(encoding="utf-8")
