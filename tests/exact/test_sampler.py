"""Each sampler against its stated law on up to a million draws.

Every test also rejects parameters that are a little too small and a little too large.
"""

from fractions import Fraction

import numpy as np
import pytest
from scipy import stats
from tests.tools.levels import DRAWS, FLIP_DRAWS, SIGNIFICANCE, SLOW_DRAWS, accepts

from tacit.checks.testing import exponential_law, flip_law, geometric_mass, seeded
from tacit.exact.coins import bernoulli, bernoulli_exp
from tacit.exact.flips import flip_level
from tacit.exact.geometric import two_sided_geometric, two_sided_geometrics
from tacit.exact.levels import Levels, choose_levels

pytestmark = pytest.mark.statistical

ERRORS = np.array([2, 3, 5, 6, 9], dtype=np.int64)

COUNTS = np.array([1, 3, 2, 6, 20], dtype=np.uint64)

RATE = Fraction(2, 5)


def _level_law(law, rate):
    """What a plain law over candidates gives each level."""
    flat = np.repeat(ERRORS, COUNTS.astype(int)).tolist()
    masses = [float(mass) for mass in law(flat, rate).values()]
    return [sum(part) for part in np.split(masses, np.cumsum(COUNTS.astype(int))[:-1])]


def test_the_rational_coin():
    rng = seeded("rational coin")
    heads = sum(bernoulli(rng, Fraction(3, 11)) for _ in range(DRAWS))
    counts = [heads, DRAWS - heads]
    assert accepts(counts, [3 / 11, 8 / 11])
    assert not accepts(counts, [3 / 11 - 0.005, 8 / 11 + 0.005])
    assert not accepts(counts, [3 / 11 + 0.005, 8 / 11 - 0.005])


def _mistaken(right, wrong, draws):
    """How often counts of the right law pass for those of the wrong one, nearly."""
    right, wrong = np.array(right), np.array(wrong)
    moved = draws * float(((right - wrong) ** 2 / wrong).sum())
    passes = stats.chi2.isf(SIGNIFICANCE, len(right) - 1)
    return stats.ncx2.cdf(passes, len(right) - 1, moved)


@pytest.mark.parametrize(("x", "draws"), [(Fraction(1, 3), 850_000), (Fraction(7, 5), 370_000)])
def test_the_exponential_coin(x, draws):
    rng = seeded(f"coin {x}")
    heads = sum(bernoulli_exp(rng, x) for _ in range(draws))
    right = float(np.exp(-float(x)))
    for factor, verdict in ((1, True), (0.98, False), (1.02, False)):
        p = float(np.exp(-float(x) * factor))
        assert accepts([heads, draws - heads], [p, 1 - p]) is verdict
        assert verdict or _mistaken([right, 1 - right], [p, 1 - p], draws) < SIGNIFICANCE


def _geometric_counts(draws):
    edge = 40
    return np.bincount(np.clip(draws, -edge, edge) + edge, minlength=2 * edge + 1)


def _geometric_law(scale):
    edge = 40
    inner = [float(geometric_mass(z, scale)) for z in range(-edge + 1, edge)]
    outer = (1 - sum(inner)) / 2
    return [outer, *inner, outer]


SCALE = Fraction(8, 3)


def _check_geometric(draws):
    counts = _geometric_counts(draws)
    assert accepts(counts, _geometric_law(SCALE))
    assert not accepts(counts, _geometric_law(SCALE * Fraction(98, 100)))
    assert not accepts(counts, _geometric_law(SCALE * Fraction(102, 100)))


def test_geometric_noise_one_at_a_time():
    rng = seeded("geometric")
    _check_geometric(np.array([two_sided_geometric(rng, SCALE) for _ in range(DRAWS // 2)]))


def test_geometric_noise_in_bulk():
    _check_geometric(two_sided_geometrics(seeded("geometrics"), SCALE, DRAWS))


def _check_levels(chosen, law):
    counts = np.bincount(chosen, minlength=len(ERRORS))
    assert accepts(counts, _level_law(law, RATE))
    assert not accepts(counts, _level_law(law, RATE * Fraction(97, 100)))
    assert not accepts(counts, _level_law(law, RATE * Fraction(103, 100)))


def test_the_exponential_choice():
    levels = Levels(ERRORS, COUNTS)
    chosen = choose_levels(seeded("levels"), levels, rate=RATE, draws=DRAWS)
    _check_levels(chosen, exponential_law)


def test_the_exponential_choice_when_balls_decide_everything(monkeypatch):
    from tacit.exact import levels as module

    monkeypatch.setattr(module, "_float_choice", lambda _l, _r, words: np.full(len(words), -1))
    levels = Levels(ERRORS, COUNTS)
    chosen = choose_levels(seeded("balls"), levels, rate=RATE, draws=SLOW_DRAWS)
    _check_levels(chosen, exponential_law)


@pytest.mark.parametrize(("law", "draws"), [(exponential_law, SLOW_DRAWS), (flip_law, FLIP_DRAWS)])
@pytest.mark.parametrize("factor", [Fraction(97, 100), Fraction(103, 100)])
def test_the_slow_draws_are_enough(law, draws, factor):
    """A rate that is wrong by 3% is taken for the right one as seldom as the reverse."""
    assert _mistaken(_level_law(law, RATE), _level_law(law, RATE * factor), draws) < SIGNIFICANCE


def test_permute_and_flip():
    """About 0.3 ms a draw, so a tenth of a million rather than a million."""
    rng, levels = seeded("flips"), Levels(ERRORS, COUNTS)
    chosen = [flip_level(rng, levels, rate=RATE) for _ in range(FLIP_DRAWS)]
    _check_levels(chosen, flip_law)


def test_the_two_selections_are_told_apart():
    """The test has the power to see which of the two laws it is given."""
    levels = Levels(ERRORS, COUNTS)
    chosen = choose_levels(seeded("apart"), levels, rate=RATE, draws=SLOW_DRAWS)
    counts = np.bincount(chosen, minlength=len(ERRORS))
    assert not accepts(counts, _level_law(flip_law, RATE))
