"""Tests of ``tacit.page.spending``."""

from __future__ import annotations

import pytest

import tacit
from tacit.page.spending import Spending


def test_an_offer_ends_after_an_hour():
    now = [0.0]
    spending = Spending(clock=lambda: now[0])
    token, used = spending.offer("order"), spending.offer("other")
    job, order = spending.confirm(used)
    assert order == "other"
    now[0] = 3601.0
    with pytest.raises(tacit.BadInput, match="no longer open"):
        spending.confirm(token)
    assert spending.confirm(used) == (job, None)  # what was confirmed is still found
