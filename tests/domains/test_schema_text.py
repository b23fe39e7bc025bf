"""Tests of ``tacit.domains.schema_text``."""

import pytest

from tacit.core import BadInput
from tacit.domains.schema_text import UNDECLARED, parse_toml, write_toml


def test_open_declarations_are_marked_for_the_user():
    text = write_toml({"age": {"kind": "number", "low": UNDECLARED, "high": UNDECLARED}})
    assert text.count("# declare this") == 2


@pytest.mark.parametrize("part", ["[[imposible]]\nage = 3", '[ward]\nkind = "boolean"', "bins = 3"])
def test_a_part_that_no_schema_has_is_refused(part):
    """It was passed over: a table had what a misspelt part ruled out, and a column was missing."""
    columns = '[columns.age]\nkind = "integer"\nlow = 0\nhigh = 9\n'
    text = f"{part}\n{columns}" if part.startswith("bins") else f"{columns}{part}\n"
    with pytest.raises(BadInput, match=r"s.toml has a part .*\[\[impossible\]\]"):
        parse_toml(text, name="s.toml")


def test_a_schema_may_name_its_columns_alone():
    alone = parse_toml('[age]\nkind = "boolean"\n[ward]\nkind = "boolean"\n', name="s.toml")
    assert set(alone) == {"age", "ward"}
