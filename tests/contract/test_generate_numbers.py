"""``proofs/Numbers.v`` is what its generator writes from the registered bounds today."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tacit.core import theorems

FOLDER = Path(__file__).resolve().parents[2] / "proofs"


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "generate_numbers", FOLDER / "generate_numbers.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def test_the_file_is_up_to_date(generator: ModuleType) -> None:
    assert (FOLDER / "Numbers.v").read_text(encoding="utf-8") == generator.text()


def test_at_least_ten_registered_bounds_are_evaluated(generator: ModuleType) -> None:
    functions = {case.function for case in generator.CASES}
    assert functions <= {entry.function for entry in theorems()}
    assert len(functions) >= 20


def test_every_formula_is_evaluated(generator: ModuleType) -> None:
    formulas = (FOLDER / "Formulas.v").read_text(encoding="utf-8")
    defined = [line.split()[1] for line in formulas.splitlines() if line.startswith("Definition ")]
    goals = generator.text().removeprefix(generator.HEAD)
    assert len(defined) >= 15
    assert [
        name for name in defined if f"({name} " not in goals and f"< {name} " not in goals
    ] == []


def test_a_changed_number_would_be_noticed(
    generator: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert generator.main(["--check"]) == 0
    monkeypatch.setattr(generator, "CASES", generator.CASES[:1])
    assert generator.main(["--check"]) == 1
    assert "stale" in capsys.readouterr().out
