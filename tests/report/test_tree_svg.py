"""Tests of ``tacit.report.tree_svg``."""

import re
from html import unescape

from tests.core.named_cases import LONG, SICK, TREE

from tacit.report.tree_svg import tree_svg


def shown(svg):
    """The text of a drawing, boxes one after the other."""
    drawn = svg[svg.index("</title>") :]
    return [
        unescape(" ".join(re.findall(r">([^<]+)</tspan>", box)))
        for box in re.findall(r"<g>.*?</g>", drawn)
    ]


def test_a_drawing_shows_every_number_and_every_letter_of_a_name():
    boxes = shown(tree_svg(TREE, labels=SICK.words))
    assert f"{LONG} < 31.25 (or missing or anything else)" in boxes
    assert "ward is south" in boxes
    assert boxes.count("sick is no") == 2
    assert boxes.count("sick is yes") == 1
    lines = re.findall(r">([^<]+)</tspan>", tree_svg(TREE, labels=SICK.words))
    assert max(map(len, lines)) <= 25
