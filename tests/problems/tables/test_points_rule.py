"""Rules of points: constants keep them, and numbers of files stay small."""

import numpy as np
import pytest
from tests.complete import complete

from tacit.problems.tables.boosted_rules import BoostedRule
from tacit.problems.tables.points_rule import PointsRule, read_points
from tacit.problems.tables.tree_nodes import Cut

pytestmark = pytest.mark.exact

X = np.array([[0], [1]], dtype=object)


def _rule(threshold=0):
    card = (Cut(0, 0, ordered=True), -3, 5)
    return BoostedRule(schema=complete([range(2)]), start=1, trees=(card,), threshold=threshold)


def test_points_above_the_threshold_answer_one():
    """Every threshold around the points -2 and 6 of the two cells."""
    for threshold in range(-5, 9):
        rule = _rule(threshold)
        answers = [points > threshold for points in (-2, 6)]
        assert rule.predict(X).tolist() == answers
        assert rule.always is (answers[0] if answers[0] == answers[1] else None)
        assert rule.score(X).tolist() == [-2, 6]
        assert rule.range == (-2, 6)
        for label in (False, True):
            assert rule.saying(label=label).always is label


def test_the_head_of_a_card():
    labels = ("no", "yes")
    assert _rule().headed(labels, ranks=True) == [
        "yes if the points add up to more than 0, else no",
        "start: +1",
    ]
    only = "points that only rank: the more, the likelier yes"
    assert _rule(6).headed(labels, ranks=True) == ["always: no", only, "start: +1"]
    assert _rule(-3).headed(labels, ranks=False) == ["always: yes"]


def test_a_rule_without_points_is_refused():
    with pytest.raises(TypeError, match="abstract"):
        PointsRule()


def test_numbers_of_files_are_whole_and_small():
    assert [read_points(one) for one in (10**9, "-7", 0)] == [10**9, -7, 0]
    for number in (10**9 + 1, -(10**9) - 1, "1e3", 1.5, True, None):
        with pytest.raises(ValueError, match=r"invalid literal|out of range"):
            read_points(number)
