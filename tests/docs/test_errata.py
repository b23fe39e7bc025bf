"""Every row of the errata page has a check that runs by itself, or says that there is none."""

import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "errata.md").read_text(encoding="utf-8")
CHECKS = re.findall(r"(?m)^\*\*([A-Zt][^*\n]*)\.\*\*(.*?)```python\n(.*?)```", PAGE, flags=re.S)
NOTHING_TO_COMPUTE = "seen by reading; nothing to compute"


@pytest.mark.parametrize("code", [code for _, _, code in CHECKS], ids=[name for name, *_ in CHECKS])
def test_a_check_runs_by_itself(code, capsys):
    assert "assert " in code
    exec(compile(code, "errata.md", "exec"), {"__name__": "check"})


def test_every_row_has_a_check():
    rows = re.findall(r"(?m)^\| ([A-Z]\d+|t)( †)? \|(.*)$", PAGE)
    assert len(rows) > 35
    checked = {one for name, *_ in CHECKS for one in name.split(", ")}
    without = {name for name, _, row in rows if NOTHING_TO_COMPUTE in row}
    assert {name for name, *_ in rows} == checked | without
    assert not checked & without
