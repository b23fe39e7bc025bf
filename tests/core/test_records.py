"""Tests of ``tacit.core.records``."""

import json

import pytest
from tests.core.core_records_cases import nested

from tacit.core import BadInput, event_from_dict
from tacit.core.records import check_depth, kinds, parse


def test_nested_events_are_refused():
    leaf = {"kind": "Pure", "relation": "replace-one", "epsilon": "1"}
    event = nested(
        5000,
        inner=leaf,
        wrap=lambda one: {"kind": "Composed", "relation": "replace-one", "events": [one]},
    )
    with pytest.raises(BadInput, match="levels deep"):
        event_from_dict(event)


@pytest.mark.parametrize(
    "text",
    ["{", "[]", "1", '{"a": NaN}', '{"a": 1, "a": 2}', "[" * 100_000, b"\xff\xfe{}", "9" * 5000],
)
def test_bad_json_is_refused(text):
    with pytest.raises(BadInput, match=r"r\.json"):
        parse(text, name="r.json")


def test_good_json_is_read():
    record = {"a": [1, {"b": "c"}], "d": None}
    assert parse(json.dumps(record), name="r.json") == record
    check_depth(record)


def test_a_table_of_too_many_rows_is_refused():
    from tacit.problems.finite.synthetic import table_from_dict

    table = {"kind": "synthetic", "size": "9", "low": "0", "column": "x", "rows": [["1", 2]]}
    assert len(table_from_dict(table)) == 2
    for rows in ([["1", 10**30]], [["9", 1]], [["1", "2"]], [["1", -1]], [[1, 1, 1]], None, 5):
        with pytest.raises(BadInput):
            table_from_dict({**table, "rows": rows})


def test_every_kind_that_a_record_names_is_found():
    inner = [{"kind": "b"}, ({"kind": "c", "x": "d"},), "kind"]
    assert kinds({"kind": "a", "of": inner}) == {"a", "b", "c"}
    assert kinds({"kind": "a", "of": {"kind": "b"}}) == {"a", "b"}
    assert kinds([{"x": {"kind": {"kind": "c"}}}]) >= {"c"}
    assert kinds("a") == set()
