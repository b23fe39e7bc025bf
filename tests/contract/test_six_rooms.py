"""Every kind of test is there, and rooms of the package are known to the contract."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
KINDS = ("property", "exact", "statistical")


def test_each_kind_of_test_marks_files():
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py")]
    for kind in KINDS:
        assert sum(f"pytest.mark.{kind}" in text for text in texts) > 10, kind


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
        or (path.suffix == ".py" and not path.stem.startswith("__"))
    }
    assert found <= named


def test_files_can_be_read_in_one_sitting():
    long = {
        str(path.relative_to(ROOT)): lines
        for path in (ROOT / "src").rglob("*.py")
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > 500
    }
    assert not long
