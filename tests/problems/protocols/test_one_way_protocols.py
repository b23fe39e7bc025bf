"""FX14: protocols as classes of rules, and lines whose records do not grow with the prime."""

import json
from fractions import Fraction
from itertools import product
from math import exp, log

import numpy as np
import pytest

from tacit.checks.testing import law_of, seeded
from tacit.classes import Thresholds
from tacit.core import BadInput, hypothesis_from_dict
from tacit.domains.integers import Integers
from tacit.problems.finite.listed import TableRule
from tacit.problems.protocols.one_way_protocols import (
    Equality,
    GreaterThan,
    MajorityRule,
    Protocol,
    Repeated,
    Representation,
)


class InnerProduct(Protocol):
    """Equality of two-bit strings by one random parity: wrong half the time off the point."""

    domain = Integers(size=4)
    messages = 2

    def __init__(self, checks):
        self.checks = checks
        self.messages = 1 << checks

    @property
    def error(self):
        return Fraction(1, 1 << self.checks)

    def coins(self, rng):
        return tuple(rng.bits(2) for _ in range(self.checks))

    def alice(self, concept, coins):
        return sum((coin & concept).bit_count() % 2 << i for i, coin in enumerate(coins))

    def rule(self, message, coins):
        return TableRule(values=tuple(self.alice(x, coins) == message for x in range(4)))


def true_error(protocol, concept, value):
    """Exactly, over all coins."""

    def wrong(rng):
        coins = protocol.coins(rng)
        rule = protocol.rule(protocol.alice(concept, coins), coins)
        return bool(rule.predict([value])[0]) != (concept == value)

    masses, left = law_of(wrong)
    assert left == 0
    return masses.get(True, Fraction(0))


@pytest.mark.parametrize(
    "protocol", [InnerProduct(1), InnerProduct(2), Repeated(InnerProduct(2), 2)]
)
def test_stated_errors_are_those_over_all_coins(protocol):
    errors = [true_error(protocol, f, x) for f, x in product(range(4), repeat=2)]
    assert max(errors) <= protocol.error
    assert max(errors) > 0


def test_repetition_reduces_the_error_and_the_true_error_keeps_up():
    inner = InnerProduct(2)
    runs = {t: Repeated(inner, t) for t in (1, 3, 5)}
    stated = [runs[t].error for t in (1, 3, 5)]
    assert stated == sorted(stated, reverse=True)
    assert stated[1] == Fraction(10, 64)
    assert true_error(runs[3], 2, 1) <= stated[1]
    with pytest.raises(BadInput):
        Repeated(InnerProduct(1), 3)
    with pytest.raises(BadInput):
        Repeated(Equality(Integers(bits=8), 10), 3)


@pytest.mark.parametrize(
    "protocol",
    [
        Equality(Integers(size=20), 3),
        GreaterThan(Thresholds(size=20)),
        GreaterThan(Thresholds(size=20, orientation="THRESH")),
        Repeated(Equality(Integers(size=20), 2), 3),
    ],
    ids=["equality", "greater-than", "at most", "repeated"],
)
def test_mistakes_of_every_message_and_alice_knows_her_rule(protocol):
    rng = seeded("protocol")
    coins = protocol.coins(rng)
    x = np.array([rng.below(20) for _ in range(40)], dtype=np.uint64)
    y = np.array([rng.bits(1) == 1 for _ in range(40)])
    assert (
        protocol.mistakes(coins, x, y).tolist() == Protocol.mistakes(protocol, coins, x, y).tolist()
    )
    message = protocol.alice(7, coins)
    assert 0 <= message < protocol.messages
    rule = protocol.rule(message, coins)
    if isinstance(protocol, GreaterThan):
        expected = protocol.thresholds.hypothesis(7).predict(np.arange(20))
        assert (rule.predict(np.arange(20)) == expected).all()
    else:
        assert rule.predict([7])[0]
    both = Representation(protocol, (coins, protocol.coins(rng)))
    assert both.size == 2 * protocol.messages
    assert both.hypothesis(message).predict(x).tolist() == rule.predict(x).tolist()


def test_representations_miss_as_seldom_as_markov_says():
    """Every distribution on two values, every concept; all coins of two copies."""
    protocol, rho = InnerProduct(3), Fraction(1, 4)

    def good(rng, concept, other):
        drawn = [protocol.coins(rng) for _ in range(2)]
        rules = [protocol.rule(protocol.alice(concept, c), c) for c in drawn]
        return any(not rule.predict([other])[0] for rule in rules)

    for concept, other in product(range(4), repeat=2):
        if concept != other:
            masses, left = law_of(
                lambda rng, f=concept, x=other: good(rng, f, x), least=Fraction(0)
            )
            assert left == 0
            assert masses.get(False, 0) <= (protocol.error / rho) ** 2


def test_majority_rules_come_back_from_a_file():
    protocol = Repeated(Equality(Integers(bits=70), 2), 3)
    coins = protocol.coins(seeded(1))
    rule = protocol.rule(protocol.alice(5, coins), coins)
    assert isinstance(rule, MajorityRule)
    assert hypothesis_from_dict(json.loads(json.dumps(rule.to_dict()))) == rule
    assert rule.describe().startswith("1 if more than half of these rules say so, else 0:")


def bad_sizes(line, share, t):
    """Which of the six sizes have no vote of probability 2/3; one pair has ``share`` of the line."""
    masses = [line * share]
    left = line - masses[0]
    while left > 1e-12 and len(masses) < 60:
        masses.append(min(masses[0], left))
        left -= masses[-1]
    bad = []
    for size in (t << i for i in range(6)):
        none = (1 - line) ** size
        ones = [(1 - line + q) ** size - none for q in masses]
        bad.append(max(none, ones[0], 1 - none - sum(ones)) < 2 / 3)
    return bad


def test_claim_17_one_of_six_sizes_is_good():
    """Gridded distributions on a line; the proof covers all of them."""
    for line, share in product(np.logspace(-4, 0, 90), np.linspace(0.05, 1, 39)):
        for t in (1, 5):
            assert not all(bad_sizes(line, share, t)), (line, share, t)


def test_claim_17_five_sizes_would_not_do_and_print_says_three():
    assert bad_sizes(0.01142, 0.8825, 50) == [True] * 5 + [False]


def test_constants_of_the_proof_of_claim_17():
    first = log(1.5)
    assert (1 - exp(-16 * first)) * (1 - exp(-2.21 / 2)) > 2 / 3
    assert exp(-2.21 / 8) - exp(-2.4) > 2 / 3
    slow = (1 - 2.21 / 32 / first) * exp(-0.6)
    missing = exp(-slow * 32 * first)
    stable = -log(1 / 3 - missing)
    assert exp(-stable / 8) - exp(-4 * first) > 2 / 3
