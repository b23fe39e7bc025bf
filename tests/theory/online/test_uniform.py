"""Tests of ``tacit.theory.online.uniform``."""

from fractions import Fraction
from math import exp

import pytest

from tacit.checks.testing import seeded
from tacit.classes import Points
from tacit.core import ALGORITHMS, Accuracy, BadInput, Privacy, Task
from tacit.domains.integers import Integers
from tacit.theory.online import (
    uniform,
)


def test_short_rules_confuse_two_points_and_so_cannot_be_private_learners():
    domain = Integers(bits=8)
    rules = [Points(size=256).hypothesis(p) for p in (0, 1, 2, 3)]
    x, y = uniform.confused_pair(rules, domain)
    assert x != y
    for rule in rules:
        first, second = rule.predict([x, y])
        assert first == second  # wrong about one of them: error 1/2
    with pytest.raises(BadInput, match="too small"):
        uniform.confused_pair(rules, Integers(size=4))
    assert uniform.confused_pair([], domain) == (0, 1)


def test_a_rule_of_few_bits_is_unlikely_only_up_to_a_constant():
    chance = uniform.long_rule_chance(epsilon=1, records=4, beta="1/2")
    assert chance <= Fraction(1, 2)
    assert float(chance) == pytest.approx(0.5 * exp(-4))
    assert [uniform.bits_needed(d=d) for d in (1, 2, 3, 4, 1024, 1025)] == [0, 1, 1, 2, 10, 10]


def test_the_bound_on_short_rules_holds_for_a_private_learner_exactly():
    """Uniform law over the points of the domain on a constant score: every pair is separated
    with probability 1/|X|, which must be at least (1 - beta) e^(-epsilon n).
    """
    task = Task(Points(size=4), privacy=Privacy(1), accuracy=Accuracy("1/4", "1/2"))
    n = ALGORITHMS["exponential"].bound(task).n
    assert uniform.long_rule_chance(epsilon=1, records=n, beta="1/2") <= Fraction(1, 4)


@pytest.mark.parametrize("tenths", range(11))
def test_a_coin_meets_the_printed_proposition(tenths):
    share = Fraction(tenths, 10)
    assert uniform.constant_coin(share) >= Fraction(1, 2)
    assert (uniform.constant_coin(share) == 1) == (tenths == 5)


def test_rules_grow_with_the_domain_and_records_do_not():
    rows = uniform.lengths(
        ALGORITHMS["hashed-points"],
        sizes=(8, 64, 512, 4096),
        privacy=Privacy(1),
        accuracy=Accuracy("1/4", "1/4"),
        rng=seeded("lengths"),
    )
    assert len({row.records for row in rows}) == 1
    measured = [row.measured for row in rows]
    assert measured == sorted(measured)
    assert measured[-1] > 4096
    assert all(row.measured >= row.needed for row in rows)
