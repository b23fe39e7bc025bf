"""Fingerprinting codes: certified lengths, and what they accuse."""

from fractions import Fraction as F

import numpy as np
import pytest
from tests.checks.attacks.attacks_codes_cases import XI, pirates

from tacit.checks.attacks import tardos
from tacit.checks.testing import seeded
from tacit.exact.balls import at, ball


@pytest.mark.parametrize(("users", "columns"), [(3, 403), (5, 1170), (10, 4751)])
def test_tardos_lengths_are_certified_and_as_short_as_known(users, columns):
    found = tardos.length(coalition=users, innocent=F(1, 20 * users), missed=F(1, 20))
    assert found.columns == columns
    with at(200):
        first = tardos.innocent_error(found.columns, found.cutoff, found.limit, found.innocent_rate)
        second = tardos.coalition_error(
            found.columns, users, found.cutoff, found.limit, found.coalition_rate
        )
        assert first <= ball(found.innocent)
        assert second <= ball(found.missed)
        # Some columns less, and the bound no longer holds.
        assert tardos.coalition_error(
            int(0.97 * found.columns), users, found.cutoff, found.limit, found.coalition_rate
        ) > ball(found.missed)


def test_tardos_accuses_pirates_and_spares_the_absent():
    rng = seeded("tardos")
    certified = tardos.length(coalition=4, innocent=XI, missed=F(1, 20))
    missed = framed = 0
    for _ in range(30):
        book = tardos.generate(users=5, certified=certified, rng=rng)
        for word in pirates(book.words[:4], rng).values():
            accused = book.trace(word)
            missed += accused is None
            framed += accused == 4
    assert missed <= 20  # 150 words at 1/20 each, if the pirates were optimal
    assert framed <= 8


def test_a_short_code_is_sound_but_blind():
    certified = tardos.sound(columns=40, users=50, innocent=F(1, 100))
    rng = seeded("short")
    for _ in range(20):
        book = tardos.generate(users=50, certified=certified, rng=rng)
        word = 2 * book.words.sum(axis=0) >= 50
        assert book.trace(word) is None


def test_codes_for_many_users_do_not_overflow():
    # `length(coalition=100, ...)` ended with an OverflowError; here is where it began.
    growth = tardos._log_growth(np.geomspace(1e-4, 0.1, 20), 120, 0.1 / 120)
    assert not np.isnan(growth).any()
    assert np.isfinite(growth[0])
