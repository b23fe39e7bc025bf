"""Tests of ``tacit.problems.tables.boosted_rules``."""

import numpy as np
import pytest
from tests.complete import complete

from tacit.core import BadInput, hypothesis_from_dict
from tacit.problems.tables.boosted_rules import BoostedRule

pytestmark = pytest.mark.exact


def test_a_constant_rule_is_told_as_one():
    schema = complete([range(2)])
    rule = BoostedRule(schema=schema, start=-1, trees=())
    assert rule.describe() == "always: 0"
    assert not rule.predict(np.array([[0], [1]], dtype=object)).any()


@pytest.mark.parametrize("points", [10**30, -(10**30), 2**62, 1.5, True, "1e9"])
def test_points_that_would_overflow_are_refused(points):
    schema = complete([range(2)])
    record = BoostedRule(schema=schema, start=-1, trees=(3, 4)).to_dict()
    assert hypothesis_from_dict(record).predict(np.array([[0]], dtype=object)).all()
    with pytest.raises(BadInput, match="damaged"):
        hypothesis_from_dict(record | {"start": points})
    with pytest.raises(BadInput, match="damaged"):
        hypothesis_from_dict(record | {"trees": [{"points": points}]})
