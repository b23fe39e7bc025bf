"""Questions of trees, read from files that somebody else wrote."""

import pytest

from tacit.core import BadInput, hypothesis_from_dict
from tacit.domains import Schema


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
