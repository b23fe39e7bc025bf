"""The picture of errors: every number as text, and nothing that a name can inject."""

from fractions import Fraction
from math import exp
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest

from tacit.core import REPLACE_ONE, BadInput, Pure
from tacit.report.error_svg import error_svg, error_text, shares


def found(*errors, records=100):
    each = [SimpleNamespace(columns=columns, noisy=noisy) for columns, noisy in errors]
    cost = Pure(epsilon=Fraction(1, 2), relation=REPLACE_ONE)
    return SimpleNamespace(each=each, records=records, cost=cost)


PAIRS = found((("age", "sex"), 12), (("age", "<b>"), -3), (("sex", "<b>"), 500))


def test_noise_below_nothing_and_above_everything_is_cut_off():
    assert shares(PAIRS) == {("age", "sex"): 0.12, ("age", "<b>"): 0.0, ("sex", "<b>"): 1.0}


def test_the_worst_comes_first_in_words():
    assert error_text(PAIRS).splitlines() == [
        "sex x <b>: 1.000",
        "age x sex: 0.120",
        "age x <b>: 0.000",
    ]


def test_the_picture_is_well_formed_and_carries_its_numbers():
    root = ElementTree.fromstring(error_svg(PAIRS))
    texts = ["".join(node.itertext()) for node in root.iter() if node.tag.endswith("text")]
    assert {"0.120", "0.000", "1.000", "age", "sex", "<b>"} <= set(texts)
    assert not [node for node in root.iter() if node.tag.endswith("}b")]


def drawn(*errors):
    root = ElementTree.fromstring(error_svg(found(*errors)))
    return ["".join(node.itertext()) for node in root.iter() if node.tag.endswith("text")]


def test_single_columns_are_drawn():
    assert {"0.120", "0.300"} <= set(drawn((("age",), 12), (("sex",), 30)))


def test_of_three_columns_a_pair_shows_the_worst_marginal_that_has_both():
    texts = drawn((("age", "sex", "ward"), 12), (("age", "sex", "job"), 30))
    assert texts[0].startswith("Worst error among marginals of 3 columns that have both")
    squares = [text for text in texts[1:] if text.startswith("0.")]
    # age x sex, age x job, sex x job are in the second; age x ward, sex x ward in the first alone
    assert sorted(squares) == ["0.120", "0.120", "0.300", "0.300", "0.300"]


def test_a_pair_that_is_counted_by_itself_is_among_the_marginals_that_are_named():
    """Conditions on up to three columns are about single columns and pairs, too."""
    texts = drawn((("age",), 1), (("age", "sex"), 30), (("age", "sex", "ward"), 12))
    assert texts[0].startswith("Worst error among marginals of 1 to 3 columns that have both")
    assert sorted(text for text in texts if text.startswith("0.")) == [
        "0.010",
        "0.120",
        "0.120",
        "0.300",
    ]


def test_the_picture_says_how_far_noise_moves_a_number():
    """Two numbers share epsilon 1/2: two-sided geometric noise of scale 4, 19 times of 20."""
    texts = drawn((("age",), 12), (("sex",), 30))
    fading = exp(-1 / 4)
    within = next(t for t in range(100) if 2 * fading ** (t + 1) / (1 + fading) <= 1 / 20)
    assert texts[1] == f"Noise moves a number by at most 0.{within}, 19 times of 20."


def test_a_name_with_controls_is_written_out():
    """A schema may name a column so; XML has no form for it."""
    texts = drawn((("a\bc", "d\x1b[2J"), 12))
    assert {"a\\x08c", "d\\x1b[2J"} <= set(texts)
    assert error_text(found((("a\nb",), 5))) == "a\\nb: 0.050"


def test_what_was_not_paid_for_cannot_be_drawn():
    with pytest.raises(BadInput, match="not paid for"):
        error_svg(found())
