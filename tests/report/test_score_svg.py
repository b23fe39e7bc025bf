"""Tests of ``tacit.report.score_svg``."""

import re

from tests.core.named_cases import SCHEMA, SICK

from tacit.problems.tables.scores import ScoreRule
from tacit.report.score_svg import score_svg


def test_a_card_wraps_long_names():
    rule = ScoreRule(schema=SCHEMA, columns=(0, 2), weights=(1, -2), threshold=3, top=16)
    svg = score_svg(rule, labels=SICK.words)
    lines = re.findall(r">([^<]+)</text>", svg)
    assert max(map(len, lines)) <= 72
    assert "sick is yes" in " ".join(lines)
