"""Tests of ``tacit.checks.testing.laws``."""

from fractions import Fraction
from itertools import pairwise, permutations, product

import pytest
from tests.exact.flips_law_cases import CASES, _coins, _root

from tacit.checks.testing import flip_law
from tacit.exact.balls import at, ball

pytestmark = pytest.mark.exact


@pytest.mark.parametrize("name", ["two", "several", "no lone winner"])
def test_the_two_uniforms_have_the_law_of_permute_and_flip(name):
    """Certified sums over 1000 slices of U bracket every level's probability."""
    levels, rate = CASES[name]
    flat = [
        int(e) for e, n in zip(levels.errors, levels.counts, strict=True) for _ in range(int(n))
    ]
    law = flip_law(flat, rate)
    wrong = flip_law(flat, rate * Fraction(26, 25))
    slices = 1000
    with at(96):
        coins = _coins(levels, rate)
        roots = [
            ball(1),
            *(_root(coins, Fraction(k, slices), 40) for k in range(1, slices)),
            ball(0),
        ]
        shares = [ball(0)] * len(coins)
        for left, right in pairwise(roots):
            s = left.union(right)
            rest = [(n * p, 1 - p * s) for n, p in coins]
            for index, (top, bottom) in enumerate(rest):
                others = sum((t * bottom / b if b is not bottom else t for t, b in rest), ball(0))
                # At s = 1 a best candidate's weight is infinite: that one slice proves nothing.
                share = top / others if others.is_finite() else ball(0).union(ball(1))
                shares[index] += share / slices
        first = 0
        for share, count in zip(shares, levels.counts.tolist(), strict=True):
            mass = sum((law[c] for c in range(first, first + count)), ball(0))
            off = sum((wrong[c] for c in range(first, first + count)), ball(0))
            assert share.overlaps(mass)
            assert not share.overlaps(off)
            first += count


def _by_definition(errors, rate):
    """Average over all orders of the chance that each candidate is the first heads."""
    with at(320):
        least = min(errors)
        heads = [(-ball(rate) * (error - least)).exp() for error in errors]
        law = {candidate: ball(0) for candidate in range(len(errors))}
        orders = list(permutations(range(len(errors))))
        for order in orders:
            alive = ball(1)
            for candidate in order:
                law[candidate] += alive * heads[candidate] / len(orders)
                alive *= 1 - heads[candidate]
        return law


@pytest.mark.parametrize("errors", [(0,), (0, 0), (0, 1, 1, 3), (5, 2, 2, 9, 4), (1, 0, 7, 7, 7)])
def test_the_integral_is_the_definition(errors):
    rate = Fraction(3, 7)
    law, plain = flip_law(errors, rate), _by_definition(errors, rate)
    with at(320):
        for candidate in law:
            assert abs(law[candidate] - plain[candidate]) < ball(Fraction(1, 1 << 280))


def _by_coin_patterns(errors, rate):
    """All patterns of heads, then a uniform winner: the second of the three forms."""
    with at(320):
        least = min(errors)
        heads = [(-ball(rate) * (error - least)).exp() for error in errors]
        law = {candidate: ball(0) for candidate in range(len(errors))}
        for pattern in product((0, 1), repeat=len(errors)):
            mass = ball(1)
            for up, p in zip(pattern, heads, strict=True):
                mass *= p if up else 1 - p
            for candidate, up in enumerate(pattern):
                if up:
                    law[candidate] += mass / sum(pattern)
        return law


def test_all_coins_then_a_uniform_winner_is_the_same():
    errors, rate = (3, 3, 4, 6, 6, 8, 12), Fraction(1, 2)
    law, plain = flip_law(errors, rate), _by_coin_patterns(errors, rate)
    with at(320):
        for candidate in law:
            assert abs(law[candidate] - plain[candidate]) < ball(Fraction(1, 1 << 280))
