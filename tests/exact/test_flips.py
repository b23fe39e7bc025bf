"""Permute-and-flip: the two-uniform form has the stated law, and the sampler follows it.

The level is a function of two real uniforms: ``S(s) = U`` fixes ``s``, then ``V * total``
falls into the cell of a level with weight ``count p / (1 - p s)``.
"""

from fractions import Fraction

import pytest
from tests.exact.flips_law_cases import CASES, _coins, _levels, _log_survival, _root

from tacit.checks.testing import Scripted, seeded
from tacit.core import NumericalDoubt
from tacit.exact import flips
from tacit.exact.balls import at, ball
from tacit.exact.flips import flip_level

pytestmark = pytest.mark.exact

BITS = 600


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
