"""audit.estimate: never above the truth (but for its level), and it catches 1.25 times epsilon."""

import math
from fractions import Fraction as F

import numpy as np
import pytest
from scipy import stats

from tacit.attacks.confidence import Counts, epsilon_below, lower, upper
from tacit.attacks.specimens import FloatLaplace
from tacit.audit import estimate
from tacit.audit.targets import Ones
from tacit.core import BadInput
from tacit.domains import Integers
from tacit.exact.coins import bernoulli
from tacit.mechanisms import Geometric, MostFrequent
from tacit.testing import seeded

PAIR = [(np.zeros(2, dtype=int), np.array([0, 1]))]


def overdriven(kind):
    if kind == "noise":
        return lambda epsilon: Geometric(query=Ones(), epsilon=epsilon)
    return lambda epsilon: MostFrequent(
        domain=Integers(size=2), epsilon=epsilon, selector="permute-and-flip"
    )


@pytest.mark.parametrize("kind", ["noise", "selection"])
def test_one_and_a_quarter_is_caught_and_one_is_not(kind):
    make = overdriven(kind)
    fair = estimate(make(F(1)), PAIR, runs=8_000, rng=seeded("fair"))
    over = estimate(make(F(5, 4)), PAIR, epsilon=1, runs=16_000, rng=seeded("over"))
    assert not fair.violated
    assert fair.epsilon > F(1, 2), "a bound near 0 would show nothing"
    assert over.violated
    assert over.epsilon < F(5, 4)


def test_a_level_is_kept():
    """A fair mechanism at its own epsilon: 40 audits at level 1/4 may err about ten times."""
    rng = seeded("levels")

    def response(data):
        return bernoulli(rng, F(3, 4) if data else F(1, 4))

    wrong = sum(
        estimate(response, [(0, 1)], epsilon=1, runs=800, level="1/4").epsilon > math.log(3)
        for _ in range(40)
    )
    assert stats.binom.sf(wrong - 1, 40, 1 / 4) > 1e-6


def test_delta_is_allowed_for():
    """With probability 1/10 the record is published: worthless at delta 1/10, telling below."""
    rng = seeded("leak")

    def leaks(data):
        return data if bernoulli(rng, F(1, 10)) else None

    pairs = [("here", "there")]
    assert estimate(leaks, pairs, epsilon=1, delta=F(1, 10), runs=8000).epsilon == 0
    assert estimate(leaks, pairs, epsilon=1, delta=F(1, 20), runs=8000).violated


def test_float_laplace_is_caught_by_its_last_bit():
    rng = seeded("bits")
    laplace = FloatLaplace(1.0)
    found = estimate(lambda value: laplace(value, rng=rng), [(0.0, 1.0)], epsilon=1, runs=8000)
    assert found.violated
    assert "last bit" in found.event
    on_a_grid = Geometric(query=_Itself(), epsilon=F(1), grid=F(1, 64))
    fine = estimate(
        lambda value: float(on_a_grid._release(value, rng=rng)[0]), [(0, 1)], epsilon=1, runs=8000
    )
    assert not fine.violated


class _Itself:
    unit = F(1)

    def __call__(self, data):
        return (F(data),)

    def sensitivity(self, _):
        return F(1)


def test_intervals_cover_as_often_as_they_say():
    level, trials = F(1, 10), 30
    for p in (0.03, 0.2, 0.5, 0.9):
        masses = stats.binom.pmf(np.arange(trials + 1), trials, p)
        low = [float(lower(k, trials, level=level)) for k in range(trials + 1)]
        high = [float(upper(k, trials, level=level)) for k in range(trials + 1)]
        assert sum(m for m, end in zip(masses, low, strict=True) if end > p) <= 0.1
        assert sum(m for m, end in zip(masses, high, strict=True) if end < p) <= 0.1
        # and not so wide that they could not err: the level is nearly used up for some p
    assert stats.beta.ppf(0.1, 15, 16) == pytest.approx(float(lower(15, 30, level=level)), rel=1e-6)


def test_nothing_seen_is_nothing_claimed():
    counts = Counts(here=5, runs_here=10, there=5, runs_there=10)
    assert epsilon_below(counts, delta=F(0), level=F(1, 100)) == 0
    constant = estimate(lambda _: 0, [(0, 1)], epsilon=1, runs=400)
    assert constant.epsilon == 0
    with pytest.raises(BadInput, match="at least one pair"):
        estimate(lambda _: 0, [], epsilon=1)
    with pytest.raises(BadInput, match="callable"):
        estimate(3, [(0, 1)], epsilon=1)
