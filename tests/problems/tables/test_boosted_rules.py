"""Tests of ``tacit.problems.tables.boosted_rules``."""

import numpy as np
import pytest
from tests.complete import complete

from tacit.problems.tables.boosted_rules import BoostedRule

pytestmark = pytest.mark.exact


def test_a_constant_rule_is_told_as_one():
    schema = complete([range(2)])
    rule = BoostedRule(schema=schema, start=-1, trees=())
    assert rule.describe() == "always: 0"
    assert not rule.predict(np.array([[0], [1]], dtype=object)).any()
