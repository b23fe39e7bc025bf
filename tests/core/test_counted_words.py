"""Shares in words: rounded against the reader's hopes, and bounded."""

from fractions import Fraction

import pytest

from tacit.core.counted_words import OTHER, percent, possible


@pytest.mark.parametrize(
    ("share", "words"),
    [
        (Fraction(0), "0 %"),
        (Fraction(1, 1000), "0.1 %"),
        (Fraction(1, 100_000), "0.1 %"),
        (Fraction(124, 1000) + Fraction(1, 10**9), "12.5 %"),
        (Fraction(1), "100 %"),
    ],
)
def test_a_share_is_rounded_up_to_a_tenth_of_a_per_cent(share, words):
    assert percent(share) == words


def test_a_number_that_no_certificate_of_ours_states_stays_short():
    assert len(percent(Fraction(10**300))) < 12
    assert len(percent(Fraction(-(10**300)))) < 12


def test_every_way_with_other_labels_has_its_sentence():
    assert set(OTHER) == {"negative", "ignore"}
    assert all(words.endswith(".") for words in OTHER.values())


@pytest.mark.parametrize(
    ("noisy", "n", "told"), [(-3, 5, 0), (3, 5, 3), (15, 1, 1), (15, None, 15), (-1, None, 0)]
)
def test_a_noisy_number_is_told_as_one_that_can_be(noisy, n, told):
    assert possible(noisy, n) == told
