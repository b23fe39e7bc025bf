"""Backwards, every polynomial learner is as good as a coin; forwards, and by brute force, not.

The level is ``levels.SIGNIFICANCE``; ROUNDS times SECRETS labels tell a rate of 1/2 from 0.4
and from 0.6.
"""

import itertools

import pytest
from tests.tools.levels import accepts

from tacit.checks.testing import seeded
from tacit.classes import OneWaySequences
from tacit.theory.online import (
    Fixed,
    brute_force,
    forward_order,
    play,
    polynomial_learners,
    reverse_order,
)
from tacit.theory.online.polynomial import ComputeForward

pytestmark = pytest.mark.statistical

K = 16

SEQUENCES = OneWaySequences(bits=(K + 1) ** 2)

SECRETS = 3

ROUNDS = 1000

NAMES = sorted(polynomial_learners(SEQUENCES.tree))


def _secrets():
    rng = seeded("one-way secrets")
    return [rng.below(SEQUENCES.size) for _ in range(SECRETS)]


@pytest.fixture(scope="module")
def backwards():
    return [list(itertools.islice(reverse_order(SEQUENCES, s), ROUNDS)) for s in _secrets()]


@pytest.mark.parametrize("name", NAMES)
def test_a_polynomial_learner_errs_on_half_of_the_rounds_backwards(name, backwards):
    games = [
        play(polynomial_learners(SEQUENCES.tree)[name], Fixed(examples)) for examples in backwards
    ]
    wrong = sum(game.mistakes for game in games)
    counts = [wrong, SECRETS * ROUNDS - wrong]
    assert accepts(counts, [0.5, 0.5]), wrong
    assert not accepts(counts, [0.4, 0.6])
    assert not accepts(counts, [0.6, 0.4])


def test_forwards_one_mistake_is_enough():
    for secret in _secrets():
        examples = itertools.islice(forward_order(SEQUENCES, secret), ROUNDS)
        game = play(ComputeForward(SEQUENCES.tree), Fixed(examples))
        assert game.mistakes == 1  # the first label 1; among a thousand there is one
        assert sum(game.labels) > ROUNDS // 3


@pytest.mark.parametrize("k", [4, 8, 12])
def test_brute_force_makes_at_most_k_mistakes_backwards(k):
    sequences = OneWaySequences(bits=(k + 1) ** 2)
    rng = seeded(f"brute force {k}")
    for _ in range(3):
        secret = rng.below(sequences.size)
        examples = list(itertools.islice(reverse_order(sequences, secret), ROUNDS))
        game = play(brute_force(sequences), Fixed(examples))
        assert game.mistakes <= k
        assert 3 * sum(game.labels) > len(examples)
        # the same rounds by a learner that does not search
        assert play(ComputeForward(sequences.tree), Fixed(examples)).mistakes == sum(game.labels)
