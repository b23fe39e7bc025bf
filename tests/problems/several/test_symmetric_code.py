"""Tests of ``tacit.problems.several.symmetric_code``."""

from fractions import Fraction as F

import numpy as np
import pytest

from tacit.bounds.search import least
from tacit.checks.attacks import tardos
from tacit.exact.balls import at, ball
from tacit.problems.several import fingerprints
from tacit.problems.several.symmetric_code import coalition_exponent, suffices

pytestmark = pytest.mark.exact


@pytest.mark.parametrize("users", [1, 2, 3, 6])
@pytest.mark.parametrize("share", [F(1, 50), F(1, 5)])
@pytest.mark.parametrize("rate", [F(1, 100), F(1, 10), F(1, 2)])
def test_the_closed_form_is_above_the_integrals(users, share, rate):
    cutoff, limit = share / users, F(7)
    rate = rate / users
    with at(128):
        exact = tardos.coalition_error(100, users, cutoff, limit, rate).log()
        assert exact <= coalition_exponent(100, users, cutoff, ball(limit), ball(rate))


def test_a_mean_that_is_too_large_would_be_noticed():
    # With twice the drift the closed form would fall below what the integrals give.
    with at(128):
        exact = tardos.coalition_error(100, 3, F(1, 150), F(7), F(1, 30)).log()
        proved = coalition_exponent(100, 3, F(1, 150), ball(F(7)), ball(F(1, 30)))
        drift = 100 * ball(F(1, 30)) * 2 * (2 * (1 - ball(F(1, 150))) ** 3 - 1) / 4
        assert not exact <= proved - drift


def test_lengths_are_a_small_multiple_of_the_least_known():
    def columns(users):
        asked = {"users": users, "innocent": F(1, 60), "missed": F(1, 20)}
        return least(lambda k: suffices(columns=k, **asked))

    # By integrals 403 columns do for three users.
    assert 403 <= columns(3) < 500
    assert columns(1000) < 6.5 * 1000**2 * np.log(60)


@pytest.mark.statistical
def test_somebody_is_accused_at_the_certified_length():
    users, innocent, missed = 3, F(1, 60), F(1, 20)
    columns = least(lambda k: suffices(columns=k, users=users, innocent=innocent, missed=missed))
    found = tardos.length(coalition=users, innocent=innocent, missed=missed)
    rng, accused = np.random.default_rng(5), 0
    edge = np.arcsin(np.sqrt(float(found.cutoff)))
    for _ in range(200):
        chances = np.sin(edge + (np.pi / 2 - 2 * edge) * rng.random(columns)) ** 2
        words = rng.random((users, columns)) < chances
        feasible = words.all(axis=0) | (words.any(axis=0) & (rng.random(columns) < 0.5))
        scores = tardos.score(words, feasible, chances)
        accused += bool(scores.max() > float(found.limit))
    assert accused >= 190


def test_agnostic_tracing_uses_it():
    asked = {"beta": F(1, 10), "epsilon": F(1), "delta": F(1, 10**6)}
    found = [
        fingerprints.empirical(k=k, code=code, **asked).n
        for k in (56_969, 10**9)
        for code in ("thresholds", "any")
    ]
    assert found == [24, 40, 514, 4408]
    # The published length, 100 m^2 ln(1/xi), would give 25 and about 1050.
    assert not suffices(columns=1, users=1, innocent=F(1, 10), missed=F(1, 10))
    assert not suffices(columns=10**6, users=2, innocent=F(0), missed=F(1, 10))
