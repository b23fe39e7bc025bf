"""Tests of ``tacit.page.planner_view``."""

from __future__ import annotations


def test_the_chart_and_the_words_come_with_the_full_page(caller):
    text = caller.get("plan", full="yes").text
    assert "<svg" in text
    assert "<title>Records against epsilon</title>" in text
    assert "suffice," in text  # the text alternative
    assert "What costs most is" in text


def test_a_number_of_very_many_digits_is_refused(caller):
    answer = caller.get("plan/answer", **{"class": "thresholds", "o.bits": "9" * 20_000})
    assert answer.status_code == 200
    assert "digits" in answer.text
