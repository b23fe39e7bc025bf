"""Tests of ``tacit.page.buying``."""

from __future__ import annotations

from fractions import Fraction

from tests.page.buys_cases import SCHEMA

from tacit.estimators import TreeClassifier
from tacit.page import buying
from tacit.page.buying import Asked, Kind
from tacit.planner import plan

ASKED = Asked(
    schema=SCHEMA, n=2000, epsilon="1", delta="0", relation="replace-one", alpha="0.1", beta="0.05"
)


def test_it_is_what_the_planner_says_of_the_estimator():
    found = buying.bought(Kind("tree", 1), ASKED)
    tree = TreeClassifier(domain={"age": range(10)}, depth=1, epsilon=1)
    task = tree.task(alpha="0.1")
    assert found.enough == plan(task).best.n
    assert found.excess == plan.least_alpha(task, 2000)
    at = TreeClassifier(domain={"age": range(10)}, depth=1, epsilon=found.epsilon)
    assert plan(at.task(alpha="0.1").at(2000)).runnable.n <= 2000
    below = TreeClassifier(
        domain={"age": range(10)}, depth=1, epsilon=found.epsilon * Fraction(9, 10)
    )
    assert plan(below.task(alpha="0.1").at(2000)).runnable.n > 2000


def test_percentages_are_rounded_up():
    one = buying.Bought(
        kind=Kind("stump", None), excess=Fraction(10001, 100000), epsilon=None, enough=1
    )
    assert one.percent == "10.1"
