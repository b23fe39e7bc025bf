"""Every room of tests holds tests, and rooms of the package are known to the contract."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("unit", "property", "exact", "statistical", "contract", "docs")


def test_each_room_has_tests():
    for room in ROOMS:
        assert list((ROOT / "tests" / room).glob("test_*.py")), room


def test_every_room_stands_in_the_import_contract():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    named = {
        part.strip().strip("()").removeprefix("tacit.").split(".")[0]
        for layer in layers
        for part in layer.split("|")
    }
    found = {
        path.stem
        for path in (ROOT / "src" / "tacit").iterdir()
        if (path.is_dir() and (path / "__init__.py").exists())
        or (path.suffix == ".py" and path.stem != "__init__")
    }
    assert found <= named


def test_files_can_be_read_in_one_sitting():
    long = {
        str(path.relative_to(ROOT)): lines
        for path in (ROOT / "src").rglob("*.py")
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > 500
    }
    assert not long
