"""Tests of ``tacit.checks.attacks.chance``."""

import pytest
from tests.checks.attacks.attacks_codes_cases import XI, pirates

from tacit.checks.attacks import boneh_shaw
from tacit.checks.testing import seeded


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
