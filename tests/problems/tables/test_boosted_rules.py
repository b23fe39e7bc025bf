"""Tests of ``tacit.problems.tables.boosted_rules``."""

from dataclasses import replace

import numpy as np
import pytest
from tests.complete import complete

from tacit.core import BadInput, hypothesis_from_dict
from tacit.problems.tables.boosted_rules import BoostedRule
from tacit.problems.tables.tree_nodes import Cut

pytestmark = pytest.mark.exact


def test_a_constant_rule_is_told_as_one():
    schema = complete([range(2)])
    rule = BoostedRule(schema=schema, start=-1, trees=())
    assert rule.describe() == "always: 0"
    assert not rule.predict(np.array([[0], [1]], dtype=object)).any()


def test_one_label_for_all_keeps_the_points_that_rank():
    """A threshold beyond all points says one label; the points stay what they were."""
    cards = ((Cut(0, 0, ordered=True), 7, (Cut(0, 1, ordered=True), -2, 3)), -4)
    rule = BoostedRule(schema=complete([range(3)]), start=1, trees=cards)
    x = np.array([[0], [1], [2]], dtype=object)
    assert rule.always is None
    for label in (False, True):
        told = rule.saying(label=label)
        assert told.always is label
        assert (told.predict(x) == label).all()
        assert told.score(x).tolist() == rule.score(x).tolist() == [4, -5, 0]
        assert told.describe().splitlines()[0] == f"always: {int(label)}"
        assert "card 2:" in told.describe()
        assert hypothesis_from_dict(told.to_dict()) == told
    # The nearest thresholds that still part the records.
    assert replace(rule, threshold=3).predict(x).tolist() == [True, False, False]
    assert replace(rule, threshold=-5).predict(x).tolist() == [True, False, True]


def test_files_without_a_threshold_have_none():
    record = BoostedRule(schema=complete([range(2)]), start=2, trees=(3,)).to_dict()
    del record["threshold"]
    assert hypothesis_from_dict(record).threshold == 0


@pytest.mark.parametrize("points", [10**30, -(10**30), 2**62, 1.5, True, "1e9"])
def test_points_that_would_overflow_are_refused(points):
    schema = complete([range(2)])
    record = BoostedRule(schema=schema, start=-1, trees=(3, 4)).to_dict()
    assert hypothesis_from_dict(record).predict(np.array([[0]], dtype=object)).all()
    with pytest.raises(BadInput, match="damaged"):
        hypothesis_from_dict(record | {"start": points})
    with pytest.raises(BadInput, match="damaged"):
        hypothesis_from_dict(record | {"threshold": points})
    with pytest.raises(BadInput, match="damaged"):
        hypothesis_from_dict(record | {"trees": [{"points": points}]})
