"""Options that a class has of its own, and those that nothing has."""

import pytest

from tacit.cli.classes import class_options, extra_options, unknown_option
from tacit.core import BadInput


def test_options_are_read_with_and_without_an_equals_sign():
    assert extra_options(["--bits", "8", "--most=2"]) == {"bits": "8", "most": "2"}
    assert extra_options(["--low", "-1"]) == {"low": "-1"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--bits"], "--bits needs a value"),
        (["--bits", "--size", "3"], "--bits needs a value"),
        (["--xyz"], "there is no option --xyz"),
        (["--xyz", "--bits", "3"], "there is no option --xyz"),
        (["--bit"], "there is no option --bit; did you mean --bits?"),
    ],
)
def test_an_option_that_there_is_not_needs_no_value(words, said):
    with pytest.raises(BadInput) as refused:
        extra_options(words)
    assert str(refused.value) == said


def test_names_come_from_the_classes_themselves():
    assert {"bits", "size", "depth", "schema"} <= class_options()
    assert str(unknown_option("rate_share", ["rate_share"])) == (
        "--rate_share is written --rate-share"
    )
