"""FX14's lines: exact (epsilon, delta) over all ordered data sets, p = 2 and 3."""

from fractions import Fraction
from itertools import product

import pytest
from tests.problems.lines.fx14_privacy_cases import BITS, records, sample
from tests.tools.coin_tree import law

from tacit.checks.testing import divergence
from tacit.domains.plane import Plane
from tacit.exact.balls import at, ball
from tacit.mechanisms import stable_mode
from tacit.mechanisms.stable_mode import StableMode, stability
from tacit.problems.lines.line_learner import ZERO, vote_of

pytestmark = pytest.mark.exact

REACH = 12

"""Above any threshold and stability that occurs here."""


def mode_learner(p, *, blocks, size, epsilon, delta):
    plane = Plane(size=p)
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
