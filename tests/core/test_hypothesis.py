"""Files that somebody else wrote."""

import pytest
from tests.core.core_records_cases import nested

from tacit.core import BadInput, hypothesis_from_dict


@pytest.mark.parametrize("levels", [150, 500, 100_000])
def test_nested_rules_are_refused(levels):
    rule = nested(
        levels,
        inner={"kind": "threshold", "size": "9", "cut": "3", "orientation": ">="},
        wrap=lambda one: {"kind": "majority", "rules": [one]},
    )
    with pytest.raises(BadInput, match="levels deep"):
        hypothesis_from_dict(rule)


def test_what_does_not_fit_a_number_is_a_damaged_rule():
    for cut in (float("inf"), float("nan"), "1" * 5000, [], {}):
        with pytest.raises(BadInput):
            hypothesis_from_dict(
                {"kind": "threshold", "size": "9", "cut": cut, "orientation": ">="}
            )


def test_rules_that_could_not_be_applied_are_refused():
    """Found by mutating files: they were read, and failed when they were shown or applied."""
    schema = {"columns": {"a": {"kind": "number", "low": "0", "high": "1", "bins": 4}}}
    for first, last in ((0, 99), (-1, 2), (3, 1), (10**30, 10**30)):
        condition = {"column": 0, "first": first, "last": last, "outside": False}
        with pytest.raises(BadInput):
            hypothesis_from_dict(
                {"kind": "conditions", "schema": schema, "conditions": [condition], "inside": True}
            )
    point = {"kind": "hashed-point", "size": "1000", "bucket": "1", "bits": "4", "offset": "5"}
    assert hypothesis_from_dict({**point, "multipliers": ["7"]}).predict([1, 2]).shape == (2,)
    for multipliers in ([str(1 << 64)], ["-1"], ["7"] * 5, []):
        with pytest.raises(BadInput):
            hypothesis_from_dict({**point, "multipliers": multipliers})
    bounds = [["0", "1"]]
    for cut in ("nan", "-inf"):
        with pytest.raises(BadInput):
            hypothesis_from_dict({"kind": "real-threshold", "bounds": bounds, "cut": cut})
        with pytest.raises(BadInput):
            hypothesis_from_dict({"kind": "real-box", "bounds": bounds, "sides": [[cut, "0x1p0"]]})
    wide = {"columns": {"a": {"kind": "number", "low": "0", "high": 10**400, "bins": 4}}}
    with pytest.raises(BadInput):
        hypothesis_from_dict(
            {"kind": "conditions", "schema": wide, "conditions": [], "inside": True}
        )


HOSTILE = [
    {"kind": "threshold", "size": "9", "cut": "-1", "orientation": ">="},
    {"kind": "threshold", "size": "9", "cut": "10", "orientation": ">="},
    {"kind": "point", "size": "9", "point": str(10**30)},
    {"kind": "parity", "length": 4, "mask": "-1"},
    {"kind": "cnf", "variables": 4, "clauses": [["16", "0"]]},
    {"kind": "dnf", "variables": 65, "terms": []},
    {"kind": "plane-line", "size": "9", "prime": "0", "slope": "0", "offset": "0"},
    {"kind": "plane-line", "size": "9", "prime": "3", "slope": "-1", "offset": "0"},
    {"kind": "line", "p": "5", "slope": "5", "offset": "0"},
    {"kind": "pair", "p": "5", "x": "-1", "y": "0"},
    {"kind": "one-way-sequence", "tree": [2, 4, 3], "start": "0", "string": "0", "label": 1},
    {"kind": "one-way-sequence", "tree": [2, 4, 8], "start": "4", "string": "0", "label": 1},
    {"kind": "table", "values": "", "concept": None},
    {"kind": "majority", "rules": []},
    {"kind": "rules", "rules": []},
]


@pytest.mark.parametrize("record", HOSTILE, ids=lambda record: record["kind"])
def test_a_rule_outside_its_domain_is_refused_when_it_is_read(record):
    with pytest.raises(BadInput, match=r"damaged|at least one rule"):
        hypothesis_from_dict(record)


@pytest.mark.parametrize(
    "part", [{"weights": []}, {"weights": [10**30]}, {"top": 0}, {"columns": [3]}, {"columns": []}]
)
def test_a_score_that_no_word_holds_is_refused_when_it_is_read(part):
    schema = {"columns": {"a": {"kind": "number", "low": "0", "high": "1"}}}
    record = {"kind": "score", "schema": schema, "columns": [0], "weights": [2]}
    record |= {"threshold": 1, "top": 15}
    assert hypothesis_from_dict(record).to_dict()["weights"] == [2]
    with pytest.raises(BadInput, match="damaged"):
        hypothesis_from_dict(record | part)
