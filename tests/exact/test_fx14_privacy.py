"""FX14's lines: exact (epsilon, delta) over all ordered data sets, p = 2 and 3."""

from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest
from tests.exact.coin_tree import law

from tacit.checks.testing import divergence
from tacit.core import Sample
from tacit.domains.plane import Plane
from tacit.exact.balls import at, ball
from tacit.mechanisms import stable_mode
from tacit.mechanisms.stable_mode import StableMode, stability
from tacit.problems.lines import lines_upper as bounds
from tacit.problems.lines.line_learner import UNDECIDED, ZERO, LineLearner, vote_of

BITS = 128
REACH = 12
"""Above any threshold and stability that occurs here."""


def records(p):
    return [((x, y), label) for x in range(p) for y in range(p) for label in (0, 1)]


def sample(entries):
    x = np.array([point for point, _ in entries], dtype=np.int64).reshape(-1, 2)
    return Sample(x, np.array([label for _, label in entries], dtype=np.int64))


def mode_learner(p, *, blocks, size, epsilon, delta):
    plane = Plane(p)
    return StableMode(
        vote=lambda block: vote_of(plane, block),
        blocks=blocks,
        block_size=size,
        otherwise=ZERO,
        epsilon=epsilon,
        delta=delta,
    )


def worst_delta(mechanism, entries, n, epsilon):
    """Over all ordered data sets and substitutions; laws are shared between equal votes."""
    seen, cache = {}, {}
    for data in product(entries, repeat=n):
        size = mechanism.block_size
        blocks = (data[i * size : (i + 1) * size] for i in range(mechanism.blocks))
        key = tuple(sorted(mechanism.vote(sample(block)) for block in blocks))
        if key not in cache:
            cache[key] = law(
                lambda tree, data=data: mechanism._release(sample(data), rng=tree), reach=REACH
            )
        seen[data] = key
    worst, pairs = ball(0), set()
    for data, key in seen.items():
        for place in range(n):
            for entry in entries:
                pairs.add((key, seen[(*data[:place], entry, *data[place + 1 :])]))
    for one, other in pairs:
        worst = worst.max(divergence(cache[one], cache[other], epsilon))
    return worst


CASES = [(2, 1, 3), (2, 2, 2), (3, 1, 2), (2, 1, 4)]


@pytest.mark.parametrize(("p", "size", "blocks"), CASES)
@pytest.mark.parametrize("epsilon", [Fraction(1), Fraction(1, 2)])
def test_stable_mode_of_lines(p, size, blocks, epsilon):
    delta = Fraction(1, 10)
    mechanism = mode_learner(p, blocks=blocks, size=size, epsilon=epsilon, delta=delta)
    with at(BITS):
        worst = worst_delta(mechanism, records(p), size * blocks, epsilon)
        assert worst <= ball(delta)
        assert worst > ball(delta / 20), "a bound that nothing comes near tests nothing"


def test_counting_only_seen_values_breaks_delta(monkeypatch):

    def careless(votes):
        mode, stable = stability(votes)
        return mode, 6 if len(set(votes)) == 1 else stable

    monkeypatch.setattr(stable_mode, "stability", careless)
    epsilon, delta = Fraction(1), Fraction(1, 10)
    mechanism = mode_learner(2, blocks=3, size=1, epsilon=epsilon, delta=delta)
    with at(BITS):
        assert worst_delta(mechanism, records(2), 3, epsilon) > ball(2 * delta)


def test_a_threshold_one_lower_breaks_delta(monkeypatch):
    steps = stable_mode.threshold_steps
    monkeypatch.setattr(stable_mode, "threshold_steps", lambda **numbers: steps(**numbers) - 1)
    epsilon, delta = Fraction(1), Fraction(1, 10)
    mechanism = mode_learner(2, blocks=3, size=1, epsilon=epsilon, delta=delta)
    with at(BITS):
        assert worst_delta(mechanism, records(2), 3, epsilon) > ball(delta)


@pytest.mark.parametrize("p", [2, 3])
def test_the_stages_and_the_selection_together(monkeypatch, p):
    """Two doublings, one block each, one record to select by: four records in all."""
    monkeypatch.setattr(bounds, "DOUBLINGS", 2)
    epsilon, delta = Fraction(1), Fraction(1, 4)
    learner = LineLearner(
        domain=Plane(p),
        blocks=1,
        block_size=1,
        epsilon=epsilon,
        delta=delta,
        selection_epsilon=Fraction(1, 2),
    )
    entries = records(p)[:: p - 1]
    on, off = ((0, 0), 1), ((1, 0), 0)
    bases = [(on, on, ((1, 1), 1), on), (on, off, ((1, 0), 1), off)]

    @cache
    def law_at(data):
        return law(lambda tree: repr(learner._release(sample(data), rng=tree)), reach=2)

    with at(BITS):
        worst = ball(0)
        for base in bases:
            for place, entry in product(range(4), entries):
                there = (*base[:place], entry, *base[place + 1 :])
                worst = worst.max(divergence(law_at(base), law_at(there), epsilon))
                worst = worst.max(divergence(law_at(there), law_at(base), epsilon))
        assert ball(delta / 20) < worst <= ball(delta)


def test_every_block_has_exactly_one_vote():
    """Total on all blocks of up to three records, and right where a line explains them."""
    plane = Plane(3)
    lines = {
        (a, b): {(x, (a * x + b) % 3) for x in range(3)} for a, b in product(range(3), repeat=2)
    }
    for n in range(4):
        for data in product(records(3), repeat=n):
            vote = vote_of(plane, sample(data))
            ones = {point for point, label in data if label}
            zeros = {point for point, label in data if not label}
            if not ones:
                assert vote == ZERO
            elif len(ones) == 1:
                assert vote == (1, *ones.copy().pop())
            else:
                fitting = [c for c, on in lines.items() if ones <= on and not zeros & on]
                assert vote == ((2, *fitting[0]) if fitting else UNDECIDED)
                assert len(fitting) <= 1
