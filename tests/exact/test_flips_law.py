"""Permute-and-flip: the two-uniform form has the stated law, and the sampler follows it.

The level is a function of two real uniforms: ``S(s) = U`` fixes ``s``, then ``V * total``
falls into the cell of a level with weight ``count p / (1 - p s)``.
"""

from fractions import Fraction
from itertools import pairwise, permutations, product

import numpy as np
import pytest

from tacit.checks.testing import Scripted, flip_law, seeded
from tacit.core import NumericalDoubt
from tacit.exact import flips
from tacit.exact.balls import at, ball
from tacit.exact.flips import flip_level
from tacit.exact.levels import Levels

BITS = 600


def _levels(errors, counts):
    kind = object if max(counts) >= 1 << 63 else np.uint64
    return Levels(np.array(errors, dtype=np.int64), np.array(counts, dtype=kind))


def _coins(levels, rate):
    least = int(levels.errors[0])
    return [
        (int(count), (-ball(rate) * (int(error) - least)).exp())
        for error, count in zip(levels.errors, levels.counts, strict=True)
    ]


def _log_survival(coins, s):
    return sum((n * (-p * s).log1p() for n, p in coins), ball(0))


def _root(coins, u, bits):
    """The ``s`` with ``S(s) = u`` for a rational ``u``, by bisection alone."""
    low, high = Fraction(0), Fraction(1)
    goal = ball(u).log()
    for _ in range(bits):
        middle = (low + high) / 2
        if _log_survival(coins, ball(middle)) > goal:
            low = middle
        else:
            high = middle
    return ball(low).union(ball(high))


CASES = {
    "two": (_levels([0, 1], [1, 1]), Fraction(1)),
    "several": (_levels([2, 3, 5], [1, 4, 2]), Fraction(1, 2)),
    "no lone winner": (_levels([0, 2], [3, 5]), Fraction(2, 3)),
    "a crowd behind": (_levels([0, 30], [1, 10**9]), Fraction(7, 10)),
    "huge": (_levels([0, 60], [2, 1 << 80]), Fraction(1)),
}


def _script(u, v, length):
    """The two uniforms' bits in the order in which the sampler asks for them."""
    script, taken, bits = 0, 0, 96
    while taken < length:
        size = bits - taken
        shift = length - bits
        for value in (u, v):
            script = script << size | (value >> shift) & ((1 << size) - 1)
        taken, bits = bits, 2 * bits
    return script, 2 * length


@pytest.mark.parametrize("name", CASES)
def test_the_second_uniform_turns_at_exactly_the_cell_borders(name):
    levels, rate = CASES[name]
    length = 384
    rng = seeded(f"flips {name}")
    for _ in range(6):
        u = rng.bits(length)
        with at(BITS + 400):
            coins = _coins(levels, rate)
            s = _root(coins, Fraction(2 * u + 1, 2 << length), 700)
            weights = [n * p / (1 - p * s) for n, p in coins]
            total = sum(weights, ball(0))
            end = ball(0)
            for index, weight in enumerate(weights[:-1]):
                end += weight
                border = int((end / total * ball(1 << 200)).floor().unique_fmpz())
                for step, expected in ((-1, index), (1, index + 1)):
                    v = (border + step) << (length - 200)
                    script = Scripted(*_script(u, v, length))
                    assert flip_level(script, levels, rate=rate) == expected


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


def test_levels_beyond_the_first_precision_are_reached():
    """A level that the first pass bounds as tail is still drawn when U and V call for it."""
    levels, rate = _levels([0, 1, 200], [1, 1, 1]), Fraction(1)
    length = 768
    with at(1600):
        coins = _coins(levels, rate)
        u = 1 << (length - 1)
        s = _root(coins, Fraction(2 * u + 1, 2 << length), 1200)
        weights = [n * p / (1 - p * s) for n, p in coins]
        total = sum(weights, ball(0))
        middle = (weights[0] + weights[1] + weights[2] / 2) / total
        v = int((middle * ball(1 << length)).floor().unique_fmpz())
    assert flip_level(Scripted(*_script(u, v, length)), levels, rate=rate) == 2


def test_the_tail_is_enclosed_not_cut_off():
    """What lies beyond the head widens the balls by enough to hold the whole truth."""
    levels, rate, bits = _levels([0, 3, 298, 305], [2, 7, 1 << 200, 1]), Fraction(1), 96
    for share in (Fraction(1, 9), Fraction(1, 2), Fraction(99, 100)):
        with at(2 * bits + 201):
            head = flips._Head(levels, rate, bits)
            assert len(head.counts) == 2
            s = ball(share).mid()
            survival, total = head.log_survival(s), head.total(s)
        with at(2000):
            coins = _coins(levels, rate)
            assert survival.contains(_log_survival(coins, s).mid())
            assert total.contains(sum((n * p / (1 - p * s) for n, p in coins), ball(0)).mid())
            # And not by so much that it would tell nothing.
            assert survival.rad() < ball(Fraction(1, 1 << 200))


@pytest.mark.parametrize("u", [0, 1, (1 << 96) - 1, (1 << 96) - 2])
def test_extreme_first_words_are_settled(u):
    levels, rate = CASES["several"]
    assert flip_level(Scripted(u << 96, 192, seed=2), levels, rate=rate) in (0, 1, 2)


@pytest.mark.parametrize(
    ("errors", "counts", "rate"),
    [
        ([0, 1], [1, 1 << 1000], Fraction(1)),
        ([0, 690, 700], [1, 1 << 1000, 1 << 1010], Fraction(1)),
        ([0], [1 << 4096], Fraction(1, 3)),
        ([0, 1, 2], [1 << 1000, 1, 1], Fraction(5)),
        ([0, 10**15], [1, 1], Fraction(1, 10**15)),
        ([0, 1 << 62], [1, 1], Fraction(1, 1 << 80)),
        ([0, 1], [1, 1], Fraction(10**6)),
        ([-(1 << 62), 0, 1 << 61], [1, 5, 1 << 64], Fraction(1, 1 << 61)),
        (list(range(400)), [1 + 3**i % 17 for i in range(400)], Fraction(1, 40)),
    ],
)
def test_extreme_levels_are_settled(errors, counts, rate):
    levels = _levels(errors, counts)
    drawn = {flip_level(seeded(seed), levels, rate=rate) for seed in range(12)}
    assert drawn <= set(range(len(errors)))


def test_doubt_raises_rather_than_guesses(monkeypatch):
    monkeypatch.setattr(flips, "_solve", lambda *_: None)
    monkeypatch.setattr(flips, "_Head", lambda *_, **__: None)
    with pytest.raises(NumericalDoubt):
        flip_level(seeded(0), _levels([0, 1], [1, 1]), rate=Fraction(1))
