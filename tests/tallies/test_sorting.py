"""Many words are sorted as numpy sorts them."""

import numpy as np
import pytest

from tacit.tallies import sorting
from tacit.tallies.sorting import by_bytes, sort

ROWS = 1 << 16


@pytest.mark.parametrize("rows", [0, 1, ROWS - 1, ROWS, ROWS + 777])
@pytest.mark.parametrize("bits", [1, 8, 9, 33, 63, 64])
def test_words_ascend(rows, bits):
    words = np.random.default_rng(bits).integers(
        0, 2**bits - 1, rows, dtype=np.uint64, endpoint=True
    )
    wanted, other = np.sort(words), words.copy()
    sort(words)
    assert np.array_equal(words, wanted)
    if rows:
        by_bytes(other)
        assert np.array_equal(other, wanted)


@pytest.mark.parametrize(
    "words",
    [
        np.zeros(ROWS),
        np.full(ROWS, 2**40),
        np.arange(ROWS)[::-1],
        np.arange(ROWS) << 47,
        np.where(np.arange(ROWS) % 3 == 0, 2**63, 5),
        np.arange(ROWS) % 256 << 16,
    ],
    ids=["zero", "equal", "falling", "high bits", "two values", "one byte of three"],
)
def test_bytes_that_all_words_share_are_passed_over(words):
    words = words.astype(np.uint64)
    wanted = np.sort(words)
    by_bytes(words)
    assert np.array_equal(words, wanted)


@pytest.mark.parametrize("numpy_is_quicker", [False, True])
def test_a_part_of_an_array_is_sorted_where_it_is(monkeypatch, numpy_is_quicker):
    monkeypatch.setattr(sorting, "_MANY", 1)
    monkeypatch.setattr(sorting, "_numpy_is_quicker", lambda: numpy_is_quicker)
    words = np.array([9, 3, 2**50, 1, 7, 0], dtype=np.uint64)
    sort(words[1:4])
    assert words.tolist() == [9, 1, 3, 2**50, 7, 0]


@pytest.mark.parametrize("quick", [False, True])
def test_the_quicker_of_both_is_taken(monkeypatch, quick):
    ticks = iter([0, 1, 0, 1, 0, 1, 0, 3 - 2.5 * (not quick), 0, 4, 0, 5])
    monkeypatch.setattr(sorting, "perf_counter", lambda: next(ticks))
    assert sorting._numpy_is_quicker.__wrapped__() is quick
