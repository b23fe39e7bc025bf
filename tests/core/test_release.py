"""Tests of ``tacit.core.release``."""

from tests.core.core_charging_cases import CLAIM, EVENT

from tacit.classes import Thresholds
from tacit.core import (
    Release,
)


def test_a_release_shows_its_value_in_words_if_it_has_some():
    rule = Thresholds(bits=8).hypothesis(7)
    text = str(Release(value=rule, event=EVENT, claim=CLAIM))
    assert "x >= 7" in text
    assert "0.5" in text
    assert "label" in text
