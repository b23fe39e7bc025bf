"""Files that somebody else wrote."""

import json

import pytest

from tacit.core import BadInput, event_from_dict, hypothesis_from_dict
from tacit.core.records import check_depth, parse


def nested(levels, *, inner, wrap):
    for _ in range(levels):
        inner = wrap(inner)
    return inner


@pytest.mark.parametrize("levels", [150, 500, 100_000])
def test_nested_rules_are_refused(levels):
    rule = nested(
        levels,
        inner={"kind": "threshold", "size": "9", "cut": "3", "orientation": ">="},
        wrap=lambda one: {"kind": "majority", "rules": [one]},
    )
    with pytest.raises(BadInput, match="levels deep"):
        hypothesis_from_dict(rule)


def test_nested_events_are_refused():
    leaf = {"kind": "Pure", "relation": "replace-one", "epsilon": "1"}
    event = nested(
        5000,
        inner=leaf,
        wrap=lambda one: {"kind": "Composed", "relation": "replace-one", "events": [one]},
    )
    with pytest.raises(BadInput, match="levels deep"):
        event_from_dict(event)


def test_what_does_not_fit_a_number_is_a_damaged_rule():
    for cut in (float("inf"), float("nan"), "1" * 5000, [], {}):
        with pytest.raises(BadInput):
            hypothesis_from_dict(
                {"kind": "threshold", "size": "9", "cut": cut, "orientation": ">="}
            )


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
