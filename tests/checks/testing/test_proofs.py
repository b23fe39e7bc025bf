"""Tests of ``tacit.checks.testing.proofs``."""

from pathlib import Path

import pytest

from tacit.checks.testing.proofs import ROOT

pytestmark = pytest.mark.exact

PAGE = Path(__file__).resolve().parents[3] / "docs" / "errata.md"


def test_every_erratum_has_its_place_check_and_repair():
    rows = [line for line in PAGE.read_text().splitlines() if line.startswith("| ")]
    entries = [
        line for line in rows if not line.startswith(("| id", "|---", "| t |")) and "|" in line
    ]
    names = [entry.split("|")[1].strip().removesuffix(" †") for entry in entries]
    assert len(names) == len(set(names)) >= 36
    for entry in entries:
        cells = [cell.strip() for cell in entry.strip("|").split("|")]
        assert len(cells) == 6, entry
        assert all(cells), entry
    assert ROOT.exists()
