"""Tests of ``tacit.problems.tables.banded_scores``."""

import json

import pytest
from tests.complete import complete
from tests.problems.tables.banded_cases import raw

from tacit.core import hypothesis_from_dict
from tacit.core.errors import BadInput
from tacit.exact.balls import at, ball
from tacit.problems.tables.banded_scores import BandedScores
from tacit.problems.tables.scores import Scores

pytestmark = pytest.mark.exact

TWO = complete([range(3), bool])


@pytest.mark.parametrize(
    ("columns", "most", "fewest", "values"),
    [(1, 1, 1, 3), (2, 1, 1, 3), (2, 1, 2, 4), (1, 2, 1, 5)],
)
def test_the_prior_is_a_probability_over_all_rules(columns, most, fewest, values):
    rules = BandedScores(Scores(TWO, columns=columns, most=most, fewest=fewest), values)
    with at(200):
        found = {}
        for rule, mass in raw(rules):
            found[rule] = found.get(rule, ball(0)) + mass
        for rule, mass in found.items():
            assert abs(mass - ball(rules.prior(rule))) < ball(1) / 10**40
    assert sum(map(rules.prior, found)) == 1
    assert rules.least_prior() <= min(map(rules.prior, found))
    assert all(prior >= rules.least_prior() for _, prior in rules.comparators())


def test_rules_of_other_classes_have_no_prior():
    rules = BandedScores(Scores(TWO, columns=1, most=1), 3)
    (first, *_) = rules.totals()
    rule = rules.hypothesis(first, (1,), (0, 2))
    assert rules.prior(rule) > 0
    assert BandedScores(Scores(TWO, columns=1, most=1), 4).prior(rule) == 0
    assert BandedScores(Scores(TWO, columns=2, most=1, fewest=2), 3).prior(rule) == 0
    assert rules.prior(rules.hypothesis(first, (1,), (2, 2))) == 0
    assert rules.prior(rules.hypothesis(first, (7,), (0, 2))) == 0
    assert rules.prior("a word") == 0


def test_a_rule_is_written_and_read_back():
    rules = BandedScores(Scores(TWO, columns=2, most=2), 4)
    total = next(one for one in rules.totals() if one.weights == (2, -1))
    rule = rules.hypothesis(total, (2, 4), (3, 0, 1))
    assert rule.describe().splitlines()[:4] == [
        "if total < 0: 3",
        "if 0 <= total < 2: 0",
        "if total >= 2: 1",
        "total: 2 x level(x0) - level(x1)",
    ]
    told = json.loads(json.dumps(rule.to_dict()))
    assert hypothesis_from_dict(told) == rule
    assert rule.predict([(0, True), (1, True), (1, False), (2, False)]).tolist() == [3, 0, 1, 1]
    everybody = rules.hypothesis(total, (), (2,))
    assert everybody.describe(labels=("a", "b", "c", "d")) == "always: c"
    assert everybody.reads == ()
    assert everybody.predict([(0, True)]).tolist() == [2]
    for changed in (
        {"cuts": [4, 2]},
        {"cuts": [1]},
        {"cuts": [0, 10**9]},
        {"labels": [3, 0, 4]},
        {"columns": [0, 2]},
        {"weights": [1]},
        {"values": 10**6},
        {"top": 0},
        {"columns": [], "weights": []},
    ):
        with pytest.raises(BadInput, match="damaged"):
            hypothesis_from_dict(told | changed)
