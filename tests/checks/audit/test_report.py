"""Tests of ``tacit.checks.audit.report``."""

from pathlib import Path

import pytest

from tacit.checks.audit import estimate
from tacit.checks.audit.report import allowed, region_chart, write
from tacit.core import BadInput


def test_the_region_of_a_claim():
    assert allowed(0.0, 1.0, 0.0) == 1.0
    assert allowed(1.0, 1.0, 0.0) == 0.0
    assert allowed(0.2, 0.0, 0.1) == pytest.approx(0.7)
    found = estimate(lambda data: data, [(0, 1)], epsilon=1, runs=400)
    series = {row["series"] for row in region_chart([found]).to_dict()["data"]["values"]}
    assert series == {"claim", "confirmed test", "seen, not certified"}
    with pytest.raises(BadInput, match="written as"):
        write([found], Path("x.csv"))
