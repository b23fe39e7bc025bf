"""Both geometric samplers have exactly the law ``P(z) ∝ exp(-|z| / scale)``."""

from fractions import Fraction

import numpy as np
import pytest

from tacit.checks.testing import Scripted, geometric_mass, seeded
from tacit.core import BadInput
from tacit.exact import geometric
from tacit.exact.balls import at, ball

pytestmark = pytest.mark.exact

SCALES = [Fraction(1, 2), Fraction(1), Fraction(3, 2), Fraction(7, 3)]

BITS = 320


class _Restart(Exception):
    pass


class _Coins:
    """Follows one round of the scalar sampler, weighing coins by balls."""

    private = False

    def __init__(self, script):
        self.script, self.mass, self.pending, self.rounds = list(script), ball(1), None, 0

    def _take(self, shares):
        if not self.script:
            self.pending = len(shares)
            raise LookupError
        answer = self.script.pop(0)
        self.mass = self.mass * shares[answer]
        return answer

    def below(self, bound):
        self.rounds += 1
        if self.rounds > 1:
            raise _Restart
        return self._take([ball(Fraction(1, bound))] * bound)

    def bits(self, count):
        return self._take([ball(Fraction(1, 1 << count))] * (1 << count))

    def coin(self, x):
        heads = (-ball(x)).exp()
        return bool(self._take([1 - heads, heads]))


def _one_round(scale, longest):
    """Masses of every result of one round, and of a restart; longer paths are left out."""
    results, restart = {}, ball(0)
    paths = [()]
    while paths:
        path = paths.pop()
        rng = _Coins(path)
        if len(path) > longest:
            continue
        try:
            z = geometric.two_sided_geometric(rng, scale)
        except _Restart:
            restart += rng.mass
        except LookupError:
            paths.extend((*path, answer) for answer in range(rng.pending))
        else:
            results[z] = results.get(z, ball(0)) + rng.mass
    return results, restart


@pytest.mark.parametrize("scale", SCALES)
def test_the_scalar_sampler_by_enumeration(scale, monkeypatch):
    monkeypatch.setattr(geometric, "bernoulli_exp", lambda rng, x: rng.coin(x))
    with at(BITS):
        results, restart = _one_round(scale, longest=40)
        followed = sum(results.values(), restart)
        assert followed > 1 - ball(Fraction(1, 10**12))
        # Rounds are independent, so P(z) is the round's mass over that of not restarting.
        for z in range(-6, 7):
            certain = results[z] / (1 - restart)
            missing = (1 - followed) / (1 - restart)
            truth = geometric_mass(z, scale)
            assert not truth < certain
            assert not truth > certain + missing
        # The bracket tells a scale that is one part in a million off, either way.
        peak = results[0] / (1 - restart)
        assert geometric_mass(0, scale * Fraction(1_000_001, 1_000_000)) < peak
        assert geometric_mass(0, scale * Fraction(999_999, 1_000_000)) > peak + missing


def _prefix_of(tail, length):
    with at(length + 64):
        scaled = tail() * ball(1 << length)
        return int(scaled.floor().unique_fmpz())


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("m", [1, 2, 5, 17])
def test_the_vector_sampler_turns_at_exactly_the_tail_probabilities(scale, m):
    """``|Z| >= m`` is ``U < P(|Z| >= m)``: 200 bits of U decide, on either side of the step."""

    def tail():
        q = (-1 / ball(scale)).exp()
        return 2 * (-ball(m) / ball(scale)).exp() / (1 + q)

    boundary = _prefix_of(tail, 200)
    for step, expected in ((-1, m), (1, m - 1)):
        script = boundary + step
        word, rest = script >> 136, script & ((1 << 136) - 1)
        assert geometric._settle(Scripted(rest, 136), scale, word) == expected
        # The whole path: the word goes first, then the doubtful draw asks for more bits.
        draw = geometric.two_sided_geometrics(Scripted(script, 200), scale, 1)
        assert abs(int(draw[0])) == expected


@pytest.mark.parametrize("scale", SCALES)
def test_words_away_from_a_threshold_agree_with_the_balls(scale):
    cells = geometric._thresholds(scale)
    words = np.unique(
        np.concatenate([cells - np.uint64(1), cells + np.uint64(1), cells // np.uint64(2)])
    )
    words = words[(words > 0) & ~np.isin(words, cells)]
    script = 0
    for word in words.tolist():
        script = (script << 64) | word
    drawn = geometric.two_sided_geometrics(Scripted(script, 64 * len(words)), scale, len(words))
    for word, z in zip(words.tolist(), drawn.tolist(), strict=True):
        settled = geometric._settle(seeded(3), scale, word)
        assert abs(z) == settled


def test_a_zero_word_is_never_cut_off():
    """The table ends where a word cannot tell; what lies beyond is drawn all the same."""
    scale = Fraction(1)
    sizes = {
        abs(int(geometric.two_sided_geometrics(Scripted(tail, 128), scale, 1)[0]))
        for tail in (1, 1 << 20, 1 << 60)
    }
    assert len(sizes) == 3
    assert min(sizes) >= len(geometric._thresholds(scale))


def test_a_sign_is_one_bit_of_its_own():
    scale = Fraction(2)
    word = int(geometric._thresholds(scale)[-1]) // 2
    script = (word << 64 | word) << 64 | 0b10 << 6  # the sign byte is read first-bit-first
    assert geometric.two_sided_geometrics(Scripted(script, 192), scale, 2).tolist() == [
        abs(geometric._settle(seeded(0), scale, word)),
        -abs(geometric._settle(seeded(0), scale, word)),
    ]


def test_scales_out_of_range_are_refused_by_name():
    for scale in (Fraction(0), Fraction(-1)):
        with pytest.raises(BadInput, match="scale"):
            geometric.two_sided_geometric(seeded(0), scale)
        with pytest.raises(BadInput, match="scale"):
            geometric.two_sided_geometrics(seeded(0), scale, 3)
    with pytest.raises(BadInput, match="scale"):
        geometric.two_sided_geometrics(seeded(0), Fraction(1 << 51), 3)


def test_a_wide_scale_uses_the_scalar_sampler():
    draws = geometric.two_sided_geometrics(seeded(5), Fraction(1 << 40), 200)
    assert np.abs(draws).max() > 1 << 40
    assert len(set((draws & 1).tolist())) == 2


@pytest.mark.exact
@pytest.mark.parametrize("scale", [Fraction(1, 20), Fraction(1), Fraction(700, 3)])
def test_the_walk_along_the_table_finds_the_cells_that_each_size_has_alone(scale, monkeypatch):
    found = geometric._thresholds(scale).tolist()
    assert found[::-1] == [geometric._cell(scale, m + 1) for m in range(len(found))]
    assert geometric._cell(scale, len(found) + 1) == 0
    monkeypatch.setattr(geometric, "_WALK_BITS", 24)  # all in doubt
    assert geometric._thresholds.__wrapped__(scale).tolist() == found
