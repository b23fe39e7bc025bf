"""What is said of a file that cannot be read is the same whatever its records hold."""

from inspect import signature

from tacit.sources.words import changed, not_a_table


def test_a_message_knows_nothing_but_the_name():
    for made in (changed, not_a_table):
        assert list(signature(made).parameters) == ["name"]
        assert str(made("patients.csv")).startswith("patients.csv")


def test_it_says_that_nothing_was_charged_and_what_to_do():
    words = str(not_a_table("patients.csv"))
    for part in ("refused as a whole", "nothing was charged", "tacit doctor", "--delimiter"):
        assert part in words
