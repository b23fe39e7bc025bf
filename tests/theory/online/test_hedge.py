"""Weights, shares and bounds in numbers."""

import itertools
from fractions import Fraction
from math import ceil, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.checks.testing import seeded
from tacit.core import BadInput
from tacit.exact.balls import above, ball
from tacit.theory.online import (
    ConservativeHedge,
    Contrarian,
    Fixed,
    Halving,
    Hedge,
    mistake_bound,
    play,
    regret_bound,
)
from tacit.theory.online.hedge import _weight, rate_factor
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


FEW = settings(max_examples=60, deadline=None)


@st.composite
def mixtures(draw):
    """Experts, labels, and the largest weight with which a hidden mixture is ever wrong.

    Points at which the mixture is wrong by more than 3/8 are left out; experts outside the
    mixture are opposed to it, or anything.
    """
    inside = draw(st.integers(1, 12))
    outside = draw(st.integers(0, 40))
    weights = draw(st.lists(st.integers(1, 9), min_size=inside, max_size=inside))
    total = sum(weights)
    label_and_wrong = st.tuples(
        st.integers(0, 1), st.lists(st.booleans(), min_size=inside, max_size=inside)
    )
    rows = draw(st.lists(label_and_wrong, min_size=1, max_size=12))
    kept = [
        (label, wrong)
        for label, wrong in rows
        if 8 * sum(w for w, bad in zip(weights, wrong, strict=True) if bad) <= 3 * total
    ]
    if not kept:
        kept = [(1, [False] * inside)]
    opposed = draw(st.floats(0.5, 1))
    generator = np.random.default_rng(draw(st.integers(0, 2**32)))
    columns = [
        [label ^ bad for bad in wrong]
        + [label ^ int(u < opposed) for u in generator.random(outside)]
        for label, wrong in kept
    ]
    matrix = np.array(columns, dtype=bool).T
    return matrix, [label for label, _ in kept]


@pytest.mark.property
@FEW
@given(mixtures())
def test_conservative_hedge_never_exceeds_its_bound_against_the_contrarian(game):
    matrix, labels = game
    learner = ConservativeHedge(TablePanel(matrix))
    bound = mistake_bound(experts=len(matrix))
    assert learner.bound == bound <= 32 * log(len(matrix))
    # One round more than the bound allows: the learner must have become right everywhere.
    played = play(learner, Contrarian(learner, range(len(labels)), labels), rounds=bound + 1)
    assert played.mistakes == played.rounds <= bound
    assert [learner.predict(x) for x in range(len(labels))] == labels


@pytest.mark.property
def test_the_contrarian_breaks_the_bound_where_its_requirement_does_not_hold():
    """Or the test above would show nothing: 4 wrong of 8 good experts are one too many."""

    def beyond(wrong):
        ways = list(itertools.combinations(range(8), wrong))
        good = np.array([[i in way for way in ways] for i in range(8)])
        bad = np.ones((500, len(ways)), dtype=bool)
        learner = ConservativeHedge(TablePanel(np.concatenate([good, bad])))
        adversary = Contrarian(learner, range(len(ways)), [0] * len(ways))
        return play(learner, adversary, rounds=learner.bound + 1).mistakes - learner.bound

    assert beyond(3) <= 0 < beyond(4)


@pytest.mark.property
@FEW
@given(
    st.integers(1, 9).flatmap(
        lambda n: st.lists(
            st.tuples(st.integers(0, 1), st.lists(st.booleans(), min_size=n, max_size=n)),
            min_size=1,
            max_size=60,
        )
    ),
    st.sampled_from([Fraction(3, 8), Fraction(1, 4), Fraction(1, 10)]),
)
def test_conservative_hedge_without_any_requirement(rounds, share):
    """Theorem 2's first claim: against every single expert, whatever the labels."""
    matrix = np.array([votes for _, votes in rounds], dtype=bool).T
    experts = TablePanel(matrix)
    game = play(
        ConservativeHedge(experts, wrong=share),
        Fixed((t, label) for t, (label, _) in enumerate(rounds)),
    )
    labels = np.array(game.labels, dtype=bool)
    lost = (matrix[:, game.wrong] != labels[game.wrong]).sum(axis=1)
    b = share / (1 - share)
    best = int(lost.min())
    limit = above(
        lambda: (ball(len(matrix)).log() - best * ball(b).log()) / (2 / ball(1 + b)).log()
    )
    assert game.mistakes <= limit


@pytest.mark.property
@FEW
@given(
    st.integers(1, 6).flatmap(
        lambda n: st.lists(st.lists(st.booleans(), min_size=n, max_size=n), min_size=1, max_size=40)
    )
)
def test_hedge_keeps_its_regret_against_labels_that_hurt_most(rounds):
    matrix = np.array(rounds, dtype=bool).T
    learner = Hedge(TablePanel(matrix), rounds=len(rounds), rng=seeded("regret"))
    expected = Fraction(0)
    labels = []
    for t in range(len(rounds)):
        chance = learner.chance(t)
        labels.append(int(2 * chance < 1))
        expected += max(chance, 1 - chance)
        learner.learn(t, labels[-1])
    best = int((matrix != np.array(labels, dtype=bool)).sum(axis=1).min())
    assert float(expected) - best <= learner.bound + 1e-9
    assert learner.bound == regret_bound(experts=len(matrix), rounds=len(rounds))


@pytest.mark.property
def test_regret_grows_like_the_square_root_of_the_rounds():
    for rounds in (100, 10_000):
        ideal = (rounds * log(64) / 2) ** 0.5
        assert ideal <= regret_bound(experts=64, rounds=rounds) <= 1.05 * ideal
        assert 0 < rate_factor(experts=64, rounds=rounds) < 1


@pytest.mark.property
@FEW
@given(
    st.integers(1, 5).flatmap(
        lambda n: st.lists(st.lists(st.booleans(), min_size=n, max_size=n), min_size=1, max_size=20)
    ),
    st.data(),
)
def test_halving_and_hedge_never_exceed_the_logarithm_with_a_perfect_expert(matrix, data):
    table = TablePanel(np.array(matrix, dtype=bool))
    target = data.draw(st.integers(0, len(matrix) - 1))
    points = data.draw(st.lists(st.integers(0, len(matrix[0]) - 1), max_size=40))
    examples = [(x, int(matrix[target][x])) for x in points]
    for learner in (Halving(table), ConservativeHedge(table, wrong=0)):
        assert play(learner, Fixed(examples)).mistakes <= len(matrix).bit_length() - 1
