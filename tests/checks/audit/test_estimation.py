"""audit.estimate: never above the truth (but for its level), and it catches 1.25 times epsilon."""

import math
import time
from dataclasses import dataclass
from fractions import Fraction as F

import numpy as np
import pytest
from scipy import stats
from tests.tools.levels import SIGNIFICANCE

from tacit.checks.attacks.confidence import Counts, epsilon_below
from tacit.checks.attacks.faulty import FloatLaplace
from tacit.checks.audit import estimate
from tacit.checks.testing import seeded
from tacit.core import BadInput
from tacit.domains import Integers
from tacit.exact.coins import bernoulli
from tacit.mechanisms import Geometric
from tacit.mechanisms.noise import Ones
from tacit.problems.points.frequent_item import MostFrequent

pytestmark = pytest.mark.statistical

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


@pytest.mark.parametrize(
    ("p", "q", "delta"),
    [(F(3, 4), F(1, 4), F(0)), (F(1, 2), F(1, 8), F(1, 10))],
)
def test_a_level_is_kept(p, q, delta):
    """At its own true epsilon a mechanism is exceeded no more often than the level says, and
    a bound that is not 0 shows that it could have been.
    """
    rng, level, tries = seeded(("levels", str(p))), F(1, 4), 60

    def response(data):
        return bernoulli(rng, p if data else q)

    true = math.log((p - delta) / q)
    found = [
        estimate(response, [(1, 0)], epsilon=1, delta=delta, runs=600, level=level, rng=rng)
        for _ in range(tries)
    ]
    wrong = sum(one.epsilon > true for one in found)
    assert stats.binom.sf(wrong - 1, tries, float(level)) > SIGNIFICANCE
    assert sum(one.epsilon > true / 2 for one in found) > tries / 2


def test_the_neighbours_that_tell_most_are_found():
    """The count of ones, in public above five: the given pair tells nothing."""
    rng = seeded("tips over")

    def many(data):
        return bernoulli(rng, F(3, 4) if sum(data) > 5 else F(1, 4))

    given = [([0] * 12, [1] + [0] * 11)]
    apart = estimate(many, given, epsilon=1, runs=4000, rng=rng)
    assert apart.epsilon < F(1, 10)
    walked = estimate(many, given, epsilon="1/2", relation="replace-one", runs=8000, rng=rng)
    assert walked.violated
    assert walked.step == "5 of 12 records replaced, and one more"
    assert walked.epsilon < math.log(3)


@dataclass
class Unhashable:
    answer: object
    __hash__ = None


@pytest.mark.parametrize(
    "wrap",
    [
        Unhashable,
        lambda bit: np.array([[bit, math.nan]]),
        lambda bit: {"of": [bit, {"deep": {bit}}]},
        lambda bit: math.nan if bit else 1.0,
        lambda bit: type("Odd", (), {})() if bit else None,
        lambda bit: [].index(0) if bit else 0,
    ],
)
def test_any_output_and_any_failure_is_looked_at(wrap):
    rng = seeded("odd")
    found = estimate(
        lambda data: wrap(bernoulli(rng, F(9, 10) if data else F(1, 10))),
        [(0, 1)],
        epsilon=1,
        runs=3000,
        rng=rng,
    )
    assert found.violated
    assert found.epsilon < math.log(9)


def test_a_function_that_always_fails_or_takes_too_long_is_refused():
    with pytest.raises(BadInput, match="ZeroDivisionError"):
        estimate(lambda _: 1 // 0, [(0, 1)], epsilon=1, runs=100)
    with pytest.raises(BadInput, match="more time"):
        estimate(lambda _: time.sleep(0.1), [(0, 1)], epsilon=1, seconds=0.5)
    with pytest.raises(BadInput, match="list of"):
        estimate(lambda _: 0, [3], epsilon=1)


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
    assert found.epsilon > 4, "in real numbers it would be 1: only the last bits tell so much"
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


def test_nothing_seen_is_nothing_claimed():
    counts = Counts(here=5, runs_here=10, there=5, runs_there=10)
    assert epsilon_below(counts, delta=F(0), level=F(1, 100)) == 0
    constant = estimate(lambda _: 0, [(0, 1)], epsilon=1, runs=400)
    assert constant.epsilon == 0
    with pytest.raises(BadInput, match="at least one pair"):
        estimate(lambda _: 0, [], epsilon=1)
    with pytest.raises(BadInput, match="callable"):
        estimate(3, [(0, 1)], epsilon=1)
