"""Tests of ``tacit.checks.testing.entropy``."""

from tacit.checks.testing import (
    Scripted,
    seeded,
)


def test_a_script_is_followed_then_left():
    rng = Scripted(0b1011, 4)
    assert rng.bits(3) == 0b101
    assert rng.bits(1) == 1
    assert rng.used == 4
    after, plain = Scripted(0, 0, seed=5), seeded(5)
    assert [after.bits(8) for _ in range(20)] == [plain.bits(8) for _ in range(20)]
    mixed = Scripted(0b1, 1)
    assert mixed.bits(3) >> 2 == 1
    assert not mixed.private


def test_scripted_words_reach_numpy_as_they_are():
    import numpy as np

    rng = Scripted(5 << 64 | 7, 128)
    assert np.frombuffer(rng.bytes(16), dtype=np.uint64).tolist() == [5, 7]
    assert len(rng.bytes(3)) == 3
