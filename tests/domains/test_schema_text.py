"""Tests of ``tacit.domains.schema_text``."""

from tacit.domains.schema_text import UNDECLARED, write_toml


def test_open_declarations_are_marked_for_the_user():
    text = write_toml({"age": {"kind": "number", "low": UNDECLARED, "high": UNDECLARED}})
    assert text.count("# declare this") == 2
