"""Tests of ``tacit.checks.attacks.boneh_shaw``."""

from fractions import Fraction as F

import numpy as np
from tests.checks.attacks.attacks_codes_cases import XI

from tacit.checks.attacks import boneh_shaw
from tacit.checks.testing import seeded


def test_boneh_shaw_is_the_sharpened_length():
    assert boneh_shaw.length(users=3, xi=F(1, 60)) == 200
    book = boneh_shaw.generate(users=5, xi=F(1, 100), rng=seeded("book"))
    assert book.words.shape == (5, boneh_shaw.length(users=5, xi=F(1, 100)))
    assert sorted(np.unique(book.words.sum(axis=0)).tolist()) == [0, 1, 2, 3, 4, 5]


def test_no_word_that_ignores_the_code_accuses_anybody():
    """Users at both ends included: the printed code accuses them of every constant."""
    rng = seeded("constants")
    for _ in range(20):
        book = boneh_shaw.generate(users=4, xi=XI, rng=rng)
        for word in (np.zeros(book.length, dtype=bool), np.ones(book.length, dtype=bool)):
            assert book.trace(word) is None
