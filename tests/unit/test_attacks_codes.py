"""Fingerprinting codes: certified lengths, and what they accuse."""

from fractions import Fraction as F

import numpy as np
import pytest

from tacit.checks.attacks import boneh_shaw, tardos
from tacit.checks.attacks.chance import uniforms
from tacit.checks.testing import seeded
from tacit.exact.balls import at, ball

XI = F(1, 80)


def pirates(words, rng):
    """Feasible words of a coalition: where all agree they agree."""
    ones = words.sum(axis=0)
    agreed0, agreed1 = ones == 0, ones == len(words)
    free = uniforms(rng, words.shape[1]) < 0.5
    guesses = {
        "majority": 2 * ones >= len(words),
        "minority": 2 * ones < len(words),
        "all ones": np.ones(words.shape[1], dtype=bool),
        "all zeros": np.zeros(words.shape[1], dtype=bool),
        "coins": free,
    }
    return {name: np.where(agreed0, False, agreed1 | guess) for name, guess in guesses.items()}


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


def test_boneh_shaw_is_the_sharpened_length():
    assert boneh_shaw.length(users=3, xi=F(1, 60)) == 200
    book = boneh_shaw.generate(users=5, xi=F(1, 100), rng=seeded("book"))
    assert book.words.shape == (5, boneh_shaw.length(users=5, xi=F(1, 100)))
    assert sorted(np.unique(book.words.sum(axis=0)).tolist()) == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize("missing", [None, 0, 1, 2, 3])
def test_boneh_shaw_always_accuses_and_only_who_took_part(missing):
    rng = seeded(f"boneh-shaw {missing}")
    present = [user for user in range(4) if user != missing]
    framed = 0
    for _ in range(40):
        book = boneh_shaw.generate(users=4, xi=XI, rng=rng)
        for name, word in pirates(book.words[present], rng).items():
            accused = book.trace(word)
            assert accused is not None, name
            framed += accused == missing
    # 200 words, each framing the absent user with probability at most 1/80.
    assert framed <= 12


def test_no_word_that_ignores_the_code_accuses_anybody():
    """Users at both ends included: the printed code accuses them of every constant."""
    rng = seeded("constants")
    for _ in range(20):
        book = boneh_shaw.generate(users=4, xi=XI, rng=rng)
        for word in (np.zeros(book.length, dtype=bool), np.ones(book.length, dtype=bool)):
            assert book.trace(word) is None


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
