"""Questions of trees, read from files that somebody else wrote."""

import pytest

from tacit.core import BadInput, hypothesis_from_dict
from tacit.domains import Schema
from tacit.problems.tables.tree_nodes import Cut, implied, path_words, simpler


def test_a_cut_that_asks_nothing_is_refused():
    schema = Schema.of({"a": (0, 4)}, bins=4)
    record = {"kind": "tree", "schema": schema.to_dict()}
    last = schema.cells[0] - 1
    leaves = {"low": {"label": 0}, "high": {"label": 1}}
    for cell in range(-1, last + 2):
        node = record | {"root": {"column": 0, "cell": cell} | leaves}
        if 0 <= cell < last:
            assert hypothesis_from_dict(node).describe()
            continue
        with pytest.raises(BadInput, match="damaged"):
            hypothesis_from_dict(node)
    for column in (-1, 1):
        with pytest.raises(BadInput, match="damaged"):
            hypothesis_from_dict(record | {"root": {"column": column, "cell": 0} | leaves})


def test_answers_about_sets_settle_each_other():
    some, one, more = (
        Cut(0, cells[0], ordered=False, others=cells[1:]) for cells in ((1, 2), (2,), (1, 2, 4))
    )
    assert implied((some, True), more) is True
    assert implied((some, True), Cut(0, 3, ordered=False)) is False
    assert implied((some, True), one) is None
    assert implied((some, False), one) is False
    assert implied((some, False), more) is None
    assert implied((some, True), Cut(1, 1, ordered=False)) is None
    nested = (some, (more, (one, 2, 3), 4), 5)
    assert simpler(nested) == (some, (one, 2, 3), 5)


def test_answers_about_one_column_are_said_together():
    schema = Schema.of({"job": ["clerk", "nurse", "baker", "smith", "cook"]})
    some, one = Cut(0, 1, ordered=False, others=(2, 4)), Cut(0, 2, ordered=False)
    said = {
        ((some, True), (one, False)): ["job is clerk or smith"],
        ((one, False), (some, False)): ["job is baker or cook (or missing or anything else)"],
        ((some, True), (one, True)): ["job is nurse"],
        ((Cut(0, 0, ordered=False, others=(1,)), False),): [
            "job is nurse, baker, smith or cook",
        ],
    }
    for path, words in said.items():
        assert path_words(path, schema) == words
