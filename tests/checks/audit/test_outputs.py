"""Tests of ``tacit.checks.audit.outputs``."""

import pytest

from tacit.checks.audit.outputs import key
from tacit.domains import Schema
from tacit.problems.tables.checked import Checked
from tacit.problems.tables.trees import TreeRule

pytestmark = pytest.mark.exact


def test_noisy_numbers_that_come_in_a_list_beside_a_rule_are_told_apart():
    rule = TreeRule(schema=Schema.of({"age": (0, 9)}), root=True)
    counted = [
        Checked(rule=rule, noisy_mistakes=3, beside=beside) for beside in [(), (5, 1), (5, 2)]
    ]
    assert len({key(one) for one in counted}) == 3
    assert key(counted[1]) == key(Checked(rule=rule, noisy_mistakes=3, beside=(5, 1)))
