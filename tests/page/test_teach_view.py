"""Tests of ``tacit.page.teach_view``."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("teach/game", {"class": "thresholds 9999"}),
        ("teach/game", {"class": "nothing 3"}),
        ("teach/game", {"class": "thresholds 7", "labels": "012"}),
        ("teach/tracing", {"turn": "x"}),
    ],
)
def test_made_up_addresses_are_refused(caller, path, fields):
    assert caller.get(path, **fields).status_code == 400


def test_pages_are_shown(caller):
    assert "Weights of the exponential mechanism" in caller.get("teach").text
    text = caller.get("teach/game", **{"class": "thresholds 7", "labels": "01"}).text
    assert "<title>Mistake tree of thresholds, 7</title>" in text
    assert "What is its label?" in text
    assert "Attack both learners" in caller.get("teach/tracing").text
    assert 'id="ratio"' in caller.get("teach/weights", epsilon="0.5").text
    assert 'role="alert"' in caller.get("teach/weights", epsilon="0").text
    assert "Privacy region of Geometric" in caller.get("teach/region").text
    assert 'role="alert"' in caller.get("teach/region", name="nobody").text
    assert "noise on a count (Geometric)</option>" in caller.get("teach/region").text
