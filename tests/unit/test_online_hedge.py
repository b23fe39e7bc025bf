"""Weights, shares and bounds in numbers."""

from fractions import Fraction
from math import ceil, log

import numpy as np
import pytest

from tacit.checks.testing import seeded
from tacit.core import BadInput
from tacit.theory.online import ConservativeHedge, Hedge, mistake_bound
from tacit.theory.online.hedge import _weight
from tacit.theory.online.panels import TablePanel


def test_the_bound_is_a_little_below_the_round_one():
    for n in (2, 10, 1000, 10**6):
        assert 31 * log(n) - 1 < mistake_bound(experts=n) <= 32 * log(n)
    assert mistake_bound(experts=1) == 0
    assert mistake_bound(experts=8, wrong=0) == 3
    assert mistake_bound(experts=7, wrong=0) == 2
    assert mistake_bound(experts=1024, wrong="1/4") == int(
        log(1024) / (log(2) - 0.5623351446188083)
    )


@pytest.mark.parametrize("wrong", ["1/2", "0.7", -1, 1])
def test_experts_that_may_be_wrong_half_the_time_are_refused(wrong):
    with pytest.raises(BadInput, match="wrong"):
        mistake_bound(experts=3, wrong=wrong)


def test_a_weight_is_a_sum_of_powers():
    factor = Fraction(3, 5)
    counts = [2, 0, 7, 1]
    assert Fraction(_weight(counts, factor), 5**4) * 5 == sum(
        count * factor**level for level, count in enumerate(counts)
    )
    assert _weight([4, 9], Fraction(0)) == 4


def test_shares_are_exact_and_only_mistakes_count():
    experts = TablePanel(np.array([[1, 0], [1, 0], [0, 1]], dtype=bool))
    learner = ConservativeHedge(experts)
    assert learner.chance(0) == Fraction(2, 3)
    learner.learn(0, 1)  # it was right
    assert learner.chance(0) == Fraction(2, 3)
    learner.learn(0, 0)  # it was wrong, and so were the first two
    assert learner.chance(0) == Fraction(2 * 3, 2 * 3 + 5)
    learner.learn(0, 0)
    assert learner.chance(0) == Fraction(2 * 9, 2 * 9 + 25)
    assert learner.predict(0) == 0
    assert learner.predict(1) == 1


def test_hedge_blames_in_every_round_and_draws_by_weight():
    experts = TablePanel(np.array([[1], [0]], dtype=bool))
    learner = Hedge(experts, rounds=50, rng=seeded("draws"))
    factor = learner._factor
    assert learner.chance(0) == Fraction(1, 2)
    learner.learn(0, 1)
    assert learner.chance(0) == 1 / (1 + factor)
    ones = sum(learner.predict(0) for _ in range(2000))
    share = float(learner.chance(0))
    assert abs(ones - 2000 * share) < 5 * ceil((2000 * share * (1 - share)) ** 0.5)
