"""A module or name of the package that a page, a proof or a docstring names is there."""

import importlib
import re
from pathlib import Path

import pytest

import tacit

ROOT = Path(__file__).parents[2]
NAMED = re.compile(r"`(tacit(?:\.[A-Za-z_]\w*)+)(?:\([^`]*)?`")
FILES = (
    *(ROOT / "docs").rglob("*.md"),
    *ROOT.glob("*.md"),
    *Path(tacit.__file__).parent.rglob("*.py"),
    *Path(tacit.__file__).parent.rglob("*.md"),
)
NOT_OURS = {"tacit.toml", "tacit.db"}


def is_there(name):
    parts = name.split(".")
    for last in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:last]))
        except ModuleNotFoundError:
            continue
        try:
            for part in parts[last:]:
                found = getattr(found, part)
        except AttributeError:
            return False
        return True
    return False


def test_every_name_is_there():
    named = {
        (name, path.relative_to(ROOT).as_posix())
        for path in FILES
        for name in NAMED.findall(path.read_text("utf-8"))
        if name not in NOT_OURS
    }
    assert len(named) > 100
    missing = {name for name, _ in named if not is_there(name)}
    assert [where for where in sorted(named) if where[0] in missing] == []


@pytest.mark.parametrize("name", ["tacit.multitask", "tacit.classes.Poinst", "tacit.core.no.such"])
def test_what_is_not_there_is_found_out(name):
    assert not is_there(name)
