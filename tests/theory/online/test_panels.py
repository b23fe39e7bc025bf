"""Tests of ``tacit.theory.online.panels``."""

import numpy as np
import pytest

from tacit.classes import Points, Table, Thresholds
from tacit.core import BadInput, Hypothesis
from tacit.theory.online import (
    panel,
)
from tacit.theory.online.panels import RulePanel, TablePanel


@pytest.mark.parametrize("experts", [Points(size=5), Thresholds(size=4), Table(np.eye(5))])
def test_a_panel_of_a_class_votes_as_its_rules_do(experts):
    found = panel(experts)
    points = range(experts.domain.size)
    everyone = np.arange(found.size)
    columns = np.array([found.votes(x, everyone) for x in points])
    first = getattr(experts, "first", 0)
    rules = [experts.hypothesis(first + i) for i in range(experts.size)]
    wanted = np.array([rule.predict(np.arange(experts.domain.size)) for rule in rules])
    assert sorted(columns.T.tolist()) == sorted(wanted.tolist())
    some = np.array([found.size - 1, 0])
    assert found.votes(1, some).tolist() == columns[1][some].tolist()


def test_equal_experts_count_once():
    rule = Points(size=4).hypothesis(2)
    assert isinstance(rule, Hypothesis)
    assert panel([rule, rule, Points(size=4).hypothesis(1)]).size == 2
    assert isinstance(panel([rule]), RulePanel)
    assert panel([[0, 1], [0, 1]]).size == 1
    assert isinstance(panel(np.eye(3)), TablePanel)


@pytest.mark.parametrize("bad", [[], [[0, 2]], [[0], [0, 1]], Points(bits=64)])
def test_what_is_no_panel_is_refused(bad):
    with pytest.raises(BadInput):
        panel(bad)
