"""Tests of ``tacit.problems.tables.additive_rules``."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import pytest
from tests.complete import complete

from tacit import Accuracy, Privacy, Task, plan
from tacit.core import BadInput, hypothesis_from_dict
from tacit.domains.schema import Schema
from tacit.problems.tables import additive_rules
from tacit.problems.tables.additive_rules import AdditivePoints, AdditiveRule
from tacit.problems.tables.boosted_rules import BoostedTrees

pytestmark = pytest.mark.exact

SCHEMA = Schema.of({"tenure": (0, 48), "job": ("nurse", "cook", "clerk"), "old": bool}, bins=4)
CARD = ((0, 14, 14, -3, -3), (2, 5, 2, 2), (0, 0, 0))
ROWS = pd.DataFrame(
    {
        "tenure": [5, 23, 24, 48, None],
        "job": ["nurse", "cook", "clerk", "pilot", "nurse"],
        "old": [True, False, None, True, True],
    }
)


def _rule(**more):
    return AdditiveRule(**{"schema": SCHEMA, "start": -4, "columns": CARD} | more)


def test_points_of_the_cells_are_added_up():
    rule = _rule()
    # Missing and undeclared values are in the first cell of each column.
    assert rule.score(ROWS).tolist() == [-4 + 14 + 5, -4 + 14 + 2, -4 - 3 + 2, -4 - 3 + 2, -4 + 5]
    assert rule.predict(ROWS).tolist() == [True, True, False, False, True]
    assert rule.range == (-4 - 3 + 2, -4 + 14 + 5)
    assert rule.reads == (0, 1)
    only = ROWS[["job", "tenure"]]  # a column of equal points is not needed
    assert rule.predict(only).tolist() == rule.predict(ROWS).tolist()


def test_the_card_joins_cells_of_equal_points():
    assert _rule().describe(labels=("stays", "leaves")).splitlines() == [
        "leaves if the points add up to more than 0, else stays",
        "start: -4",
        "tenure:",
        "  tenure is missing or anything else: +0",
        "  tenure < 24: +14",
        "  tenure >= 24: -3",
        "job:",
        "  job is not nurse: +2",
        "  job is nurse: +5",
    ]
    constant = _rule(columns=(*CARD[:2], (7, 7, 7)))
    assert constant.describe().splitlines()[-2:] == ["old:", "  always: +7"]
    none = _rule(columns=tuple((0,) * len(one) for one in CARD))
    assert none.describe() == "always: 0"
    assert none.reads == ()


def test_one_label_for_all_keeps_the_points_that_rank():
    for label in (False, True):
        told = _rule().saying(label=label)
        assert told.always is label
        assert (told.predict(ROWS) == label).all()
        assert told.score(ROWS).tolist() == _rule().score(ROWS).tolist()
        assert told.describe().startswith(f"always: {int(label)}\npoints that only rank")
        assert hypothesis_from_dict(told.to_dict()) == told


@pytest.mark.parametrize("points", [10**30, -(10**30), 2**62, 1.5, True, "1e9", None, [1]])
def test_points_that_would_overflow_are_refused(points):
    record = _rule().to_dict()
    assert hypothesis_from_dict(record) == _rule()
    for damaged in (
        {"start": points},
        {"threshold": points},
        {"columns": [[points, 0, 0, 0, 0], *record["columns"][1:]]},
    ):
        with pytest.raises(BadInput, match="damaged"):
            hypothesis_from_dict(record | damaged)


@pytest.mark.parametrize(
    "columns",
    [
        [],
        [[0] * 5],
        [[0] * 5, [0] * 4, [0] * 4],
        [[0] * 5, [0] * 4, [0] * 3, [0]],
        7,
        {"a": 1},
        None,
    ],
)
def test_points_for_other_cells_are_refused(columns):
    with pytest.raises(BadInput, match="damaged"):
        hypothesis_from_dict(_rule().to_dict() | {"columns": columns})


def test_the_prior_is_one_over_all_rules(monkeypatch):
    """Numbers of points and of starts small enough to go through: sums have one half in all."""
    monkeypatch.setattr(additive_rules, "_EACH", Fraction(1, 3))
    monkeypatch.setattr(additive_rules, "_HALF_START", Fraction(1, 2))
    total, least = Fraction(0), Fraction(1)
    for columns in product(product((-1, 0, 1), repeat=3), product((-1, 0, 1), repeat=2)):
        prior = Fraction(1, 2)
        for points in columns:
            prior *= additive_rules._prior_of(points)
        total += prior
        least = min(least, prior)
    assert total == Fraction(1, 2)
    stated = AdditivePoints(complete([range(3), range(2)])).least_prior()
    assert least / 2 < stated <= least


def test_priors_of_rules():
    family = AdditivePoints(SCHEMA)
    rule = _rule()
    each, more = Fraction(1, 61), Fraction(1, 122)
    same = Fraction(1, 2) + more
    first = each * more * same * more * same
    second = each * more * more * same
    exact = Fraction(1, 402) * first * second * each * same * same
    assert exact / 2 < family.prior(rule) <= exact
    assert family.prior(rule) > family.least_prior()
    assert family.prior(rule.saying(label=True)) == Fraction(1, 4)
    assert family.size == 2
    assert AdditivePoints.tiny().describe().startswith("points of every column's cells")
    assert np.isfinite(float(AdditivePoints.tiny().least_prior()))


def test_points_that_are_never_given_have_no_prior():
    schema = complete([range(2)] * 4)
    rule = AdditiveRule(schema=schema, start=100, columns=((-30, 30),) * 4)
    family = AdditivePoints(schema)
    assert family.prior(rule) >= family.least_prior()
    more = ((-31, 30), *rule.columns[1:])
    for other in ({"start": 101}, {"threshold": 1}, {"columns": more}):
        changed = replace(rule, **other)
        assert changed.always is None
        assert family.prior(changed) == 0


@pytest.mark.parametrize("family", [AdditivePoints, BoostedTrees])
def test_a_plan_says_that_errors_are_compared_with_a_constant_label(family):
    privacy, accuracy = Privacy(1, "1/1000"), Accuracy("0.2", "0.1")
    told = plan(Task(family.tiny(), privacy=privacy, accuracy=accuracy, setting="agnostic"))
    assert "above the better constant label" in told.summary()
